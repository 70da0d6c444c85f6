/**
 * Sets style properties of an element: `<div ${styled({width: "30%", "--tenant": colour})}>`.
 *
 * The content security policy forbids `style="…"` in markup, and Lit's own styleMap writes such an
 * attribute at its first rendering. Properties that a script sets are allowed.
 */
import {Directive, directive} from "lit/directive.js";
import {noChange} from "lit";

class Styled extends Directive {
  /** @param {Record<string, string | number>} properties */
  render(properties) {
    return noChange;
  }

  update(part, [properties]) {
    for (const [name, value] of Object.entries(properties)) {
      part.element.style.setProperty(name, String(value));
    }
    return noChange;
  }
}

export const styled = directive(Styled);
