// The frame of every page: no script, nothing from elsewhere, no words of an operation in the title.
import { raw } from 'hono/html';
import { html, type Markup } from './html.ts';
import { outsideText } from './outside-text.ts';
import { STYLE } from './style.ts';

export interface Page {
  /** Ours alone: titles reach tabs, histories and previews. */
  readonly title: 'Inbox' | 'Review' | 'Decided' | 'Not done' | 'Not found' | 'Sign-in needed' | 'Something broke';
  readonly main: Markup;
  /** The signed-in person, once known. */
  readonly subject?: string;
  readonly refresh_seconds?: number;
}

export function layout({ title, main, subject, refresh_seconds }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh_seconds === undefined ? undefined : html`<meta http-equiv="refresh" content="${refresh_seconds}">`}
<title>${title} · Countersign</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div><a href="/inbox">Countersign</a>${subject === undefined ? undefined : html`<span>You are ${outsideText(subject)}</span>`}</div></header>
<main id="main">${main}</main>
</body>
</html>`.toString();
}
