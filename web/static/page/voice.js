// Voice and sound, on request only.
import { byId } from "/static/page/dom.js";

const VOICE = "companion-voice";
let voice = localStorage.getItem(VOICE) === "on",
  sounds = null;
export function speak(text, urgent) {
  if (!voice || !text) return;
  beep(urgent);
  if (!window.speechSynthesis) return;
  if (urgent) speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.speak(words);
}
function beep(urgent) {
  sounds ||= new AudioContext();
  const tone = sounds.createOscillator(),
    gain = sounds.createGain();
  tone.frequency.value = urgent ? 220 : 660;
  gain.gain.setValueAtTime(0.08, sounds.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.25);
  tone.connect(gain).connect(sounds.destination);
  tone.start();
  tone.stop(sounds.currentTime + 0.25);
}
/** Let the page's button switch the voice, where it has one; `on` is said at once when it comes on. */
export function offerVoice(on) {
  const button = byId("voice");
  if (!button) return;
  const show = () => button.setAttribute("aria-pressed", voice);
  button.addEventListener("click", () => {
    voice = !voice;
    localStorage.setItem(VOICE, voice ? "on" : "off");
    show();
    if (voice) speak(on, false);
  });
  show();
}
