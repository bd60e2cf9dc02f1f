// The fields of a form that asks, each with its label above it. They hold no markup: what was typed comes back as text.
import { html, type Child, type Markup } from './html.ts';

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
  /** Told below the field. */
  readonly hint?: string;
  readonly suggestions?: readonly string[];
}

export function lineField({ id, label, value, required, hint, suggestions }: Field, max_length: number): Markup {
  const list = suggestions === undefined ? undefined : html`<datalist id="${id}-known">${suggestions.map((each) => html`<option value="${each}"></option>`)}</datalist>`;
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="text" value="${value}" maxlength="${max_length}" autocapitalize="none" spellcheck="false"${flag(' required', required)}${attribute('list', list === undefined ? undefined : `${id}-known`)}${attribute('aria-describedby', hint === undefined ? undefined : `${id}-hint`)}>
${hint === undefined ? undefined : html`<span class="soft" id="${id}-hint">${hint}</span>`}</p>${list}`;
}

/** HTML drops a line break that follows the opening tag: ours is there to be dropped, in place of one that was typed. */
export function textField({ id, label, value, required, hint }: Field): Markup {
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea class="mono" id="${id}" name="${id}" autocapitalize="none" spellcheck="false"${flag(' required', required)}${attribute('aria-describedby', hint === undefined ? undefined : `${id}-hint`)}>
${value}</textarea>
${hint === undefined ? undefined : html`<span class="soft" id="${id}-hint">${hint}</span>`}</p>`;
}

/** For names of ours that hold letters, digits, dot, dash and underscore: an option can hold no markup, and needs none. */
export function choiceField({ id, label, value }: Field, choices: readonly string[]): Markup {
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${id}">${choices.map((each) => html`<option value="${each}"${flag(' selected', each === value)}>${each}</option>`)}</select></p>`;
}

function flag(text: string, on: boolean | undefined): Child {
  return on === true ? text : undefined;
}

function attribute(name: string, value: string | undefined): Child {
  return value === undefined ? undefined : html` ${name}="${value}"`;
}
