// The frame of every page: no script, nothing from elsewhere, no words of an operation in the title.
import { raw } from 'hono/html';
import { page, type HttpReply } from '../middleware/reply.ts';
import { html, type Markup } from './html.ts';
import { outsideText } from './outside-text.ts';
import { STYLE } from './style.ts';

export interface Page {
  /** Ours alone: titles reach tabs, histories and previews. */
  readonly title: 'Inbox' | 'Review' | 'All arguments' | 'Exact arguments' | 'Decided' | 'Policy' | 'Not done' | 'Not found' | 'Sign-in needed' | 'Something broke';
  readonly main: Markup;
  /** The signed-in person, once known. */
  readonly subject?: string;
  /** The page looks again by itself. Only for pages without a form. */
  readonly refresh_seconds?: number;
}

export function pageReply(status: number, content: Page): HttpReply {
  const { headers, ...reply } = page(status, documentOf(content));
  // A header, since browsers ignore `<meta http-equiv="refresh">` in a page whose policy sandboxes it (HTML, "shared
  // declarative refresh steps").
  return { ...reply, headers: { ...headers, ...(content.refresh_seconds === undefined ? {} : { refresh: String(content.refresh_seconds) }) } };
}

function documentOf({ title, main, subject }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Countersign</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div><nav aria-label="Countersign"><a href="/inbox">Countersign</a>${subject === undefined ? undefined : html`<a href="/policies">Policy</a>`}</nav>${subject === undefined ? undefined : html`<span>You are ${outsideText(subject)}</span>`}</div></header>
<main id="main">${main}</main>
</body>
</html>`.toString();
}
