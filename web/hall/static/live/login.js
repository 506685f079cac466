// A PIN that stands behind the # of the address (a scanned code) logs in at once; it is never part of what is asked for.
const pin = location.hash.slice(1),
  field = document.getElementById("pin");
if (/^\d{6,12}$/.test(pin)) {
  history.replaceState(null, "", location.pathname);
  field.value = pin;
  field.form.requestSubmit();
}
