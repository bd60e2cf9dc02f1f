// The display projection as nested lists that can be read on a phone. It shows what it is given: hiding and cutting
// happened before, and are marked where they happened.
import type { JsonObject, JsonValue } from '../domain/json/json-value.ts';
import { html, type Markup } from './html.ts';
import { isMark, outsideText } from './outside-text.ts';

export function argumentsView(display: JsonValue): Markup {
  return html`<div class="args">${isEmpty(display) ? html`<span class="soft">no arguments</span>` : valueView(display)}</div>`;
}

function valueView(value: JsonValue): Markup {
  if (value === null) return scalar('null', 'nothing');
  if (typeof value === 'boolean') return scalar(String(value), 'true or false');
  if (typeof value === 'number') return scalar(String(value), 'number');
  if (typeof value === 'string') return value === '' ? html`<span class="soft">empty text</span>` : scalar(value, isMark(value) ? undefined : 'text');
  return isList(value) ? listView(value) : objectView(value);
}

/** The kind is told: the text "10" and the number 10 are different calls. */
function scalar(text: string, kind: string | undefined): Markup {
  return html`<code class="value">${outsideText(text)}</code>${kind === undefined ? undefined : html` <span class="kind">${kind}</span>`}`;
}

function listView(items: readonly JsonValue[]): Markup {
  if (items.length === 0) return html`<span class="soft">empty list</span>`;
  return html`<ol>${items.map((item) => html`<li>${valueView(item)}</li>`)}</ol>`;
}

function objectView(object: JsonObject): Markup {
  const members = Object.entries(object);
  if (members.length === 0) return html`<span class="soft">no members</span>`;
  return html`<dl class="args">${members.map(([name, value]) => memberView(name, value))}</dl>`;
}

function memberView(name: string, value: JsonValue): Markup {
  // A nested value stands below its name: six levels beside each other do not fit a phone.
  const shape = value !== null && typeof value === 'object' && !isEmpty(value) ? 'deep' : 'flat';
  return html`<div class="${shape}"><dt>${nameView(name)}</dt><dd>${valueView(value)}</dd></div>`;
}

function nameView(name: string): Markup {
  return name === '' ? html`<span class="soft">empty name</span>` : outsideText(name);
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isEmpty(value: JsonValue): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0;
}
