/** Command lines as people write them: words in quotes, as a POSIX shell splits them. */
import {quote} from "./commands.js";

/** @param {string} text @returns {string[]} */
export function splitWords(text) {
  const words = [];
  let word = "";
  let open = false;
  let mark = "";
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (mark) {
      if (letter === mark) mark = "";
      else if (letter === "\\" && mark === "\"" && "\"\\$`".includes(text[i + 1])) word += text[++i];
      else word += letter;
    } else if (letter === "'" || letter === "\"") {
      mark = letter;
      open = true;
    } else if (letter === "\\" && i + 1 < text.length) {
      word += text[++i];
      open = true;
    } else if (/\s/.test(letter)) {
      if (open || word) words.push(word);
      word = "";
      open = false;
    } else {
      word += letter;
    }
  }
  if (open || word) words.push(word);
  return words;
}

/** @param {string[]} words */
export function joinWords(words) {
  return words.map(quote).join(" ");
}
