// The one style sheet, inlined in every page, and its hash for the Content-Security-Policy: with it nothing else can
// style a page, and no page needs a second request.
import { createHash } from 'node:crypto';

const LIGHT = `--paper:#f3f5f7;--card:#fff;--ink:#17202b;--soft:#4a5665;--line:#d3dae2;--link:#1b4b8a;--well:#f3f5f7;
--go:#12633a;--stop:#a3222a;--on:#fff;--note:#fff5dc;--note-ink:#5c4100;--note-line:#d9a53a;--said:#f5f0fa;--said-ink:#4b3268;--said-line:#8f72b3;--mark:#ffe9ad`;
const DARK = `--paper:#10151b;--card:#19212a;--ink:#e7ecf2;--soft:#a9b6c4;--line:#33404e;--link:#92bff7;--well:#121920;
--go:#7fd6a4;--stop:#ff9d9d;--on:#0c1116;--note:#2f2610;--note-ink:#f4d68e;--note-line:#a57c24;--said:#251d31;--said-ink:#d9c5f2;--said-line:#8467ab;--mark:#57450f`;

export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem 1rem}
.bar{border-bottom:1px solid var(--line);background:var(--card)}
.bar div{max-width:70rem;margin:auto;padding:.25rem 1rem;display:flex;flex-wrap:wrap;gap:0 1rem;align-items:center;justify-content:space-between}
.bar a{font-weight:650;color:var(--ink);text-decoration:none;padding:.6rem 0;min-height:2.75rem}
.bar nav{display:flex;gap:1.25rem}
.bar a+a{font-weight:400}
.bar span{color:var(--soft);font-size:.875rem}
main{max-width:70rem;margin:auto;padding:1.25rem 1rem 3rem}
h1{font-size:1.375rem;line-height:1.3;margin:.25rem 0 .5rem;font-weight:650}
h2,h3{font-size:1rem;margin:0 0 .5rem;font-weight:650}
p{margin:.25rem 0 .75rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:0 0 1rem}
.card .card{margin:.5rem 0;padding:.75rem}
.card>:last-child,.lead>:last-child{margin-bottom:0}
.lead{margin:0 0 1.25rem}
.lead p{margin-top:.5rem}
.soft,.from{color:var(--soft);font-size:.875rem}
.from{font-weight:400;display:block}
.chips{display:flex;flex-wrap:wrap;gap:.375rem .5rem;list-style:none;margin:.5rem 0 0;padding:0}
.chips li{border:1px solid var(--line);border-radius:999px;padding:.125rem .625rem;font-size:.875rem;background:var(--card)}
.chips .high,.chips .critical,.chips .late{border-color:var(--stop);color:var(--stop);font-weight:650}
.chips .critical{background:var(--stop);color:var(--on)}
.chips .medium{border-color:var(--note-line);background:var(--note);color:var(--note-ink);font-weight:650}
code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.9375em}
.print{font-size:1.75rem;line-height:1.2;letter-spacing:.04em;margin:0 0 .25rem;font-weight:600}
.hash{word-break:break-all;margin:0}
dl{margin:0}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.625rem 1.25rem;margin-top:.625rem}
.facts .wide{grid-column:1/-1}
.args>div{padding:.4375rem 0;border-top:1px solid var(--line)}
.args>div:first-child{border-top:0}
.args>div:last-child{padding-bottom:0}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;min-width:0}
.args dt{font-weight:650;color:var(--ink);font-size:.9375rem}
.value{white-space:pre-wrap}
.kind{color:var(--soft);font-size:.8125rem;margin-left:.5rem;white-space:nowrap}
.args dd>dl,.args dd>ol,.args li>dl,.args li>ol{border-left:3px solid var(--line);margin:.375rem 0 0;padding-left:.75rem}
.args dd>ol,.args li>ol{padding-left:2.25rem}
.args li{padding:.25rem 0}
.args li>dl{margin-top:0}
.args li::marker{color:var(--soft)}
.rows>div{padding:.4375rem 0;border-top:1px solid var(--line)}
.rows>div:first-child{border-top:0}
.rows dt{font-weight:650;color:var(--ink);font-size:.9375rem}
.rows dt .soft{font-weight:400}
.rows .short{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline}
.rows .short dt{min-width:5rem}
.rows .d2{margin-left:0.75rem}.rows .d3{margin-left:1.5rem}.rows .d4{margin-left:2.25rem}.rows .d5{margin-left:3rem}.rows .d6{margin-left:3.75rem}.rows .d7{margin-left:4.5rem}.rows .d8{margin-left:5.25rem}
.pager{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;margin-top:1rem}
mark{background:var(--mark);color:inherit;border-radius:3px;padding:0 .15em}
h3.from{margin:.75rem 0 .25rem}
.note{background:var(--note);border-color:var(--note-line);color:var(--note-ink)}
.said{background:var(--said);border:2px dashed var(--said-line)}
.said h2,.said .from,.said dt{color:var(--said-ink)}
.lines{white-space:pre-wrap;margin:0 0 .5rem}
blockquote{margin:0 0 .5rem;padding-left:.75rem;border-left:3px solid var(--said-line);white-space:pre-wrap}
.rules{list-style:none;padding:0;margin:.5rem 0 0}
.rules>li{border-top:1px solid var(--line);padding:.5rem 0}
.rules p,.field{margin:0 0 .25rem}
.rules code.value{display:block;background:var(--well);border-radius:6px;padding:.375rem .5rem}
.effect{display:inline-block;min-width:3.25rem;text-align:center;border:1px solid var(--soft);border-radius:6px;font-size:.8125rem;font-weight:650;margin-right:.25rem;color:var(--soft)}
.effect.allow{border-color:var(--go);color:var(--go)}
.effect.ask{border-color:var(--note-line);background:var(--note);color:var(--note-ink)}
.effect.deny{border-color:var(--stop);background:var(--stop);color:var(--on)}
.field{margin-bottom:.75rem}
.choose{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
.choose .field{flex:1 1 12rem;max-width:24rem;margin:0}
.answer h3{margin:1rem 0 .25rem}
h4,summary{font-size:.9375rem;font-weight:650;margin:.75rem 0 .25rem}
summary{cursor:pointer;padding:.625rem 0;min-height:2.75rem}
ul.plain{list-style:none;padding:0;margin:0}
.decide{border:2px solid var(--link)}
label{display:block;font-weight:650;margin-bottom:.25rem}
input[type=text],select,textarea{width:100%;min-height:3rem;font:inherit;color:inherit;background:var(--well);border:1px solid var(--soft);border-radius:8px;padding:.5rem .625rem}
textarea{min-height:5.5rem;resize:vertical}
textarea.mono{font:.9375em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.buttons{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:1rem;margin-top:1rem}
button,.button{font:inherit;font-weight:650;min-height:3rem;border-radius:8px;padding:.625rem 1rem;border:2px solid var(--stop);background:var(--card);color:var(--stop);cursor:pointer}
button.go{background:var(--go);border-color:var(--go);color:var(--on)}
button.plain{border-color:var(--link);color:var(--link)}
button:hover{text-decoration:underline;text-underline-offset:.2em}
.button{display:inline-block;border-color:var(--link);color:var(--link);text-decoration:none}
.end{border-left:6px solid var(--soft)}
.end.yes{border-left-color:var(--go)}
.end.no{border-left-color:var(--stop)}
.end h2{font-size:1.125rem}
.votes li+li{margin-top:.5rem}
.inbox{list-style:none;padding:0;margin:0}
.inbox h2{margin:0 0 .25rem}
.inbox h2 a{display:block;padding:.625rem 0}
.row{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;justify-content:space-between}
@media (min-width:40rem){
.args>.flat{display:grid;grid-template-columns:minmax(7rem,11rem) 1fr;gap:1rem}
h1{font-size:1.625rem}
}
@media (min-width:62rem){
.two{display:grid;grid-template-columns:minmax(0,1.5fr) minmax(0,1fr);gap:1.25rem;align-items:start}
main{padding-top:2rem}
}
`;

export const STYLE_SOURCES = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
