// The answers to a question as stories of several sentences: few are shown whole, of many one first tells how they begin.
/** The answers of `all` that go on from `path`, with what is left of them: `[{ number, told }]`. What all of them go on
with belongs to the path, which is given back with it. */
export function goingOn(all, path) {
  const here = all.filter(({ told }) => path.every((sentence, i) => told[i] === sentence));
  let depth = path.length;
  while (here.length > 1 && here.every(({ told }) => told.length > depth + 1 && told[depth] === here[0].told[depth])) depth++;
  const left = here.map(({ number, told }) => ({ number, told: told.slice(depth) }));
  return { path: here.length ? here[0].told.slice(0, depth) : path, left };
}
/** What is offered of `left`: at most `few` whole, else the likeliest whole and the others by how they begin. Each offer is
`{ told, numbers }`; one of several numbers is only a beginning. */
export function offered(left, few) {
  const whole = ({ number, told }) => ({ told, numbers: [number] });
  if (left.length <= few) return left.map(whole);
  const [likely, ...others] = left,
    beginnings = new Map();
  for (const one of others) {
    const [first = ""] = one.told;
    beginnings.set(first, [...(beginnings.get(first) || []), one]);
  }
  const groups = [...beginnings].map(([first, ones]) =>
    ones.length === 1 ? whole(ones[0]) : { told: [first], numbers: ones.map(({ number }) => number) },
  );
  return [whole(likely), ...groups];
}
/** The sentences that every one of `left` has: what does not tell them apart. */
export const shared = (left) =>
  new Set((left[0]?.told || []).filter((sentence) => left.length > 1 && left.every(({ told }) => told.includes(sentence))));
