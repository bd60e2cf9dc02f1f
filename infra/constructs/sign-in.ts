// Who vouches for people. The configuration may name an issuer; without one the stack brings a user pool, so that
// a first deployment needs nothing but an account. Users are made by an administrator, never by themselves.
import { Duration } from 'aws-cdk-lib';
import { FeaturePlan, Mfa, StandardThreatProtectionMode, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { isKept, removalPolicy } from './removal.ts';

export class SignIn extends Construct {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly userPool: UserPool | undefined;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    if (configuration.sign_in !== undefined) {
      this.issuer = configuration.sign_in.issuer;
      this.audience = configuration.sign_in.audience;
      return;
    }
    this.userPool = createUserPool(this, configuration);
    const client = this.userPool.addClient('Client', {
      disableOAuth: true,
      authFlows: { userSrp: true },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      // Someone who is taken out of the pool still decides until the token ends.
      idTokenValidity: Duration.minutes(30),
      accessTokenValidity: Duration.minutes(30),
      refreshTokenValidity: Duration.hours(12),
    });
    this.issuer = this.userPool.userPoolProviderUrl;
    this.audience = [client.userPoolClientId];
  }
}

function createUserPool(scope: Construct, configuration: Configuration): UserPool {
  return new UserPool(scope, 'People', {
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    passwordPolicy: { minLength: 14, requireDigits: true, requireLowercase: true, requireUppercase: true, requireSymbols: true, tempPasswordValidity: Duration.days(3) },
    mfa: Mfa.REQUIRED,
    mfaSecondFactor: { otp: true, sms: false },
    featurePlan: FeaturePlan.PLUS,
    standardThreatProtectionMode: StandardThreatProtectionMode.FULL_FUNCTION,
    deletionProtection: isKept(configuration),
    removalPolicy: removalPolicy(configuration),
  });
}
