// What policy would say of one call: the verdict, who would be asked and could answer now, and why each rule fired or
// did not.
import type { PolicyVerdict, RuleTrace } from '../domain/policy/evaluate-policy.ts';
import { fact } from './fact.ts';
import { html, type Child, type Markup } from './html.ts';
import { outsideText, separated } from './outside-text.ts';
import { approvalsText, effectView } from './policy-rules.ts';
import { durationText } from './times-shown.ts';

export interface PolicyAnswer extends PolicyVerdict {
  readonly would_be: 'granted' | 'pending' | 'refused';
  readonly rules: readonly RuleTrace[];
  readonly approvers_now: readonly (readonly { readonly subject: string; readonly via: string }[])[];
}

/** Groups of more rules than this are folded up. */
const UNFOLDED = 8;
/** Rules of one group that are listed; of the others the number is told. */
const LISTED = 200;

export function answerCard(answer: PolicyAnswer): Markup {
  const { headline, sentence, tone } = wordsOf(answer);
  const { verdict, policy_id, risk, policy_revision, timeout_seconds, agent_mode } = answer;
  return html`<section class="card end answer ${tone}" aria-labelledby="answer"><h2 id="answer">${headline}</h2>
<p>${sentence}</p>
<dl class="facts">
${fact('Verdict', effectView(verdict))}
${fact('Risk', html`${risk.level}${risk.reasons.length === 0 ? undefined : html`: ${separated(risk.reasons, '; ')}`}`)}
${verdict === 'ask' ? fact('Time to decide', durationText(timeout_seconds)) : undefined}
${agent_mode === 'autonomous' ? undefined : fact('Agent mode', html`<code>${agent_mode}</code>`)}
${fact('Policy', html`<code>${outsideText(policy_id)}</code>`, 'wide')}
${fact('Policy revision', html`<code class="hash">${outsideText(policy_revision)}</code>`, 'wide')}
</dl>
${answer.requirements.length === 0 ? undefined : html`<h3>Who would be asked</h3><ul class="plain">${answer.requirements.map((_requirement, index) => requirementView(answer, index))}</ul>`}
<h3>Why</h3>
${levelsOf(answer)}
${groupsOf(answer.rules).map(groupView)}</section>`;
}

function wordsOf({ would_be, verdict }: PolicyAnswer): { readonly headline: string; readonly sentence: string; readonly tone: 'yes' | 'no' | 'open' } {
  switch (would_be) {
    case 'granted':
      return { headline: 'Allowed', sentence: 'It would run at once, and nobody would be asked.', tone: 'yes' };
    case 'pending':
      return { headline: 'Asks', sentence: 'It would wait for the approvals below. One denial would end it.', tone: 'open' };
    case 'refused':
      return verdict === 'deny'
        ? { headline: 'Denied', sentence: 'It would be refused, and no approval could lift that.', tone: 'no' }
        : { headline: 'Refused', sentence: 'It asks, and nobody could approve it now: so it would be refused.', tone: 'no' };
  }
}

function requirementView({ requirements, approvers_now }: PolicyAnswer, index: number): Markup | undefined {
  const requirement = requirements[index];
  if (requirement === undefined) return undefined;
  const { approvers, quorum } = requirement;
  const people = approvers_now[index] ?? [];
  return html`<li><strong>${approvalsText(quorum)}</strong> from ${separated(approvers, ', ')}
<div class="soft">${people.length < quorum ? html`<strong>Too few:</strong> ` : undefined}${people.length === 0 ? 'nobody could give one now' : html`now from ${people.map(({ subject, via }, at) => html`${at === 0 ? '' : ', '}${outsideText(subject)}${via === subject ? undefined : html` as one of ${outsideText(via)}`}`)}`}</div></li>`;
}

/** What spoke beside the rules: the levels of policy that no document has to write down. */
function levelsOf({ matched_rules, rules }: PolicyAnswer): Child {
  const fired = new Set(rules.filter((rule) => rule.fired).map(({ rule }) => rule));
  const levels = matched_rules.filter((source) => !fired.has(source));
  return levels.length === 0 ? undefined : html`<ul class="plain">${levels.map((source) => html`<li><code>${outsideText(source)}</code>: ${levelWords(source)}</li>`)}</ul>`;
}

function levelWords(source: string): string {
  const level = source.slice(source.indexOf('/') + 1);
  switch (level) {
    case 'default':
      return 'nothing allows this call, and then it asks; a tool that is not registered is never allowed';
    case 'request_approval':
      return 'this tool always asks';
    case 'approval_mode':
      return 'the organisation asks for every tool that does not only read';
    case 'agent_mode':
      return 'a strict agent asks for every tool that does not only read';
    case 'mcp_servers':
      return 'the MCP server asks for this tool';
    default:
      return 'the list allows it, since the workspace has what makes it harmless';
  }
}

interface Group {
  readonly fired: boolean;
  readonly why: string;
  readonly rules: readonly RuleTrace[];
}

/** Rules by what became of them, those that fired first. */
function groupsOf(rules: readonly RuleTrace[]): readonly Group[] {
  const byWhy = Map.groupBy(rules, ({ fired, why }) => `${fired ? '0' : '1'} ${why}`);
  return [...byWhy.keys()].sort().flatMap((key) => {
    const [first, ...others] = byWhy.get(key) ?? [];
    return first === undefined ? [] : [{ fired: first.fired, why: first.why, rules: [first, ...others] }];
  });
}

function groupView({ fired, why, rules }: Group): Markup {
  const title = html`${fired ? 'Fired' : 'Did not fire'}, because ${why} <span class="soft">(${rules.length})</span>`;
  const list = html`<ul class="rules">${rules.slice(0, LISTED).map(({ rule, effect }) => html`<li><p class="rule">${effectView(effect)} <strong>${outsideText(rule)}</strong></p></li>`)}</ul>
${rules.length > LISTED ? html`<p class="soft">And ${rules.length - LISTED} more.</p>` : undefined}`;
  if (!fired && rules.length > UNFOLDED) return html`<details><summary>${title}</summary>${list}</details>`;
  return html`<h4>${title}</h4>${list}`;
}
