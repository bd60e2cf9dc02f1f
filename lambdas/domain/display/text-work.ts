/**
 * What reading a text for secrets costs, told from its characters and from what was found.
 * One unit is about the time that one letter of prose takes; the signs from which detectors start weigh more.
 */
const weights = new Uint8Array(128).fill(1);
for (const [signs, weight] of [
  ['%', 60],
  ['@\\', 20],
  ['=:', 16],
  ['-', 12],
  ['\'`/<|;&()\n', 6],
  [' "', 4],
  [',', 3],
] as const) {
  for (const sign of signs) weights[sign.charCodeAt(0)] = weight;
}
const beyondAscii = 3;
const perSecret = 80;

export function readingWork(text: string, hidden: number): number {
  let work = perSecret * hidden;
  for (let index = 0; index < text.length; index += 1) work += weights[text.charCodeAt(index)] ?? beyondAscii;
  return work;
}
