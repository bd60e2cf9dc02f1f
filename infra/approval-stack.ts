// The whole of Countersign on AWS. Wiring only: the building blocks make things, this file says who may do what
// with them. The second half is the permission table of docs/architecture.md, line by line.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Configuration } from './config.ts';
import { Alarms } from './constructs/alarms.ts';
import { EventBus } from './constructs/event-bus.ts';
import { EventLog } from './constructs/event-log.ts';
import { FormKey } from './constructs/form-key.ts';
import { createFunctions } from './constructs/functions.ts';
import { HashKey } from './constructs/hash-key.ts';
import { HttpApi } from './constructs/http-api.ts';
import { Registry } from './constructs/registry.ts';
import { Relay } from './constructs/relay.ts';
import { isKept } from './constructs/removal.ts';
import { Seed } from './constructs/seed.ts';
import { SignIn } from './constructs/sign-in.ts';
import { StateMachine } from './constructs/state-machine.ts';
import { StoppedExecutions } from './constructs/stopped-executions.ts';
import { letInvokeTools } from './constructs/tools.ts';
import { Undelivered } from './constructs/undelivered.ts';
import { Vault } from './constructs/vault.ts';
import { Views } from './constructs/views.ts';

export class ApprovalStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    super(scope, configuration.stack_name, { description: 'Countersign: approval gate for tool calls of AI agents', terminationProtection: isKept(configuration) });
    const eventLog = new EventLog(this, 'EventLog', configuration);
    const vault = new Vault(this, 'Vault', configuration);
    const views = new Views(this, 'Views', configuration);
    const registry = new Registry(this, 'Registry', configuration);
    const bus = new EventBus(this, 'EventBus');
    const formKey = new FormKey(this, 'FormKey', configuration);
    const hashKey = new HashKey(this, 'HashKey', configuration);
    const undelivered = new Undelivered(this, 'Undelivered', configuration).queue;
    const signIn = new SignIn(this, 'SignIn', configuration);

    const functions = createFunctions(this, configuration, {
      'seed-registry': { COUNTERSIGN_REGISTRY: JSON.stringify(configuration.registry), COUNTERSIGN_POLICIES: JSON.stringify(configuration.policies) },
    });
    const { 'submit-operation': submit, 'read-operation': read, 'decide-operation': decide, 'cancel-operation': cancel } = functions;
    const { 'list-inbox': inbox, 'show-pages': pages, 'show-full-view': fullView, 'reveal-arguments': reveal, 'seed-registry': seed } = functions;
    const { 'park-task-token': park, 'run-tool': run, 'settle-operation': settle, 'relay-events': relay } = functions;
    const { 'manage-policies': manage, 'manage-directory': directory, 'explain-policy': explain, 'list-tools': listTools, 'renew-lease': renew } = functions;
    const approval = new StateMachine(this, 'StateMachine', configuration, { parkTaskToken: park, runTool: run, settleOperation: settle });

    eventLog.letLoad(submit, read, decide, cancel, pages, fullView, reveal, park, run, settle, relay, explain, renew);
    eventLog.letAppend(submit, decide, cancel, reveal, run, settle, relay);
    eventLog.letLoadPolicies(submit, decide, run, relay, manage, explain, listTools, seed);
    eventLog.letChangePolicies(manage, seed);
    const identifying = [submit, read, decide, cancel, inbox, pages, fullView, reveal, manage, directory, explain, listTools, renew];
    eventLog.letLoadDirectory(...identifying, relay, seed);
    eventLog.letChangeDirectory(directory, seed);
    eventLog.letPublish(relay);
    vault.letKeepArguments(submit);
    vault.letReadArguments(run, fullView, reveal, decide, explain);
    vault.letKeepResults(run);
    vault.letReadResults(read);
    vault.letParkTokens(park, run);
    vault.letReadTokens(park, decide, cancel, relay);
    views.letReadInbox(inbox, pages);
    views.letReadRecent(explain);
    views.letListOperations(inbox);
    views.letMaintain(relay);
    views.letReadLeases(decide, renew);
    views.letRenewLeases(renew);
    registry.letRead(...identifying, run);
    registry.letFindCallers(...identifying);
    registry.letFindStandIns(inbox, pages);
    if (configuration.groups_claim !== undefined) for (const each of identifying) each.addEnvironment('GROUPS_CLAIM', JSON.stringify(configuration.groups_claim));
    registry.letFindAgents(manage, explain, seed);
    registry.letMaintainDirectory(directory, seed);
    registry.letClaimCalls(submit);
    registry.letOpen(submit);
    registry.letReadRuns(read);
    registry.letCancelRuns(cancel);
    registry.letLeave(relay);
    submit.addEnvironment('MAX_PENDING_PER_AGENT', String(configuration.max_pending_per_agent));
    registry.letReplace(seed);
    approval.letStart(submit, relay);
    approval.letWake(park, decide, cancel, relay);
    bus.letPublish(relay);
    formKey.letSignForms(decide, pages, fullView, reveal, explain);
    hashKey.letKeyHashes(submit, run);
    letInvokeTools(run, configuration);

    const http = new HttpApi(this, 'HttpApi', configuration, functions, signIn);
    new Relay(this, 'Relay', { relayEvents: relay, eventLog: eventLog.table, undelivered });
    new StoppedExecutions(this, 'StoppedExecutions', { machine: approval.machine, settleOperation: settle, undelivered });
    new Seed(this, 'Seed', { seedRegistry: seed, registry, eventLog });
    new Alarms(this, 'Alarms', configuration, { functions, undelivered, machine: approval.machine });

    new CfnOutput(this, 'ApiUrl', { value: http.api.apiEndpoint });
    new CfnOutput(this, 'EventBusName', { value: bus.bus.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: approval.machine.stateMachineArn });
    if (signIn.userPool !== undefined) new CfnOutput(this, 'UserPoolId', { value: signIn.userPool.userPoolId });
  }
}
