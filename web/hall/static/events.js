// The round's clock, times as people here write them, printing, and a new page when the event has changed.
const LOOK_MS = 10_000;
const event = document.querySelector(".event");

for (const at of document.querySelectorAll("time[data-ms]")) {
  at.textContent = new Date(Number(at.dataset.ms)).toLocaleString(document.documentElement.lang);
}
document.getElementById("print")?.addEventListener("click", () => window.print());

// Which file was chosen: what the browser itself writes of it is not in the language of the page.
for (const field of document.querySelectorAll("input[type=file]")) {
  field.addEventListener("change", () => {
    field.closest("form").querySelector(".chosen").textContent = [...field.files].map((file) => file.name).join(", ");
  });
}

const began = performance.now();
for (const clock of document.querySelectorAll(".clock[data-ends]")) {
  const show = () => {
    const left = Number(clock.dataset.ends) - Number(clock.dataset.now) - (performance.now() - began);
    const seconds = Math.max(0, Math.ceil(left / 1000));
    const rest = String(seconds % 60).padStart(2, "0");
    clock.textContent = seconds ? `${Math.floor(seconds / 60)}:${rest}` : clock.dataset.over;
  };
  show();
  setInterval(show, 1000);
}

// Nobody's half written form is lost: a page that somebody types on is not loaded again.
let touched = false;
document.addEventListener("input", () => { touched = true; });

async function look() {
  try {
    const answer = await fetch(event.dataset.look);
    if (answer.ok && (await answer.json()).stamp !== event.dataset.stamp && !touched) location.reload();
  } catch (error) {
    console.info("the hub does not answer", error);
  }
}
if (event) setInterval(look, LOOK_MS);
