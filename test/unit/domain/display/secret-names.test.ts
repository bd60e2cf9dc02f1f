import { describe, expect, it } from 'vitest';
import { hidesUnderName, judgeName } from '../../../../lambdas/domain/display/secrets/names.ts';

const secret = (name: string): boolean => judgeName(name) === 'secret';

describe('names that promise a secret', () => {
  it.each(['userPassword', 'clientSecret', 'accessToken', 'refreshToken', 'privateKey', 'dbPwd', 'authToken', 'sessionCookie'])('073: hides the camel-case %s', (name) => {
    expect(secret(name)).toBe(true);
  });

  it.each(['apiKey', 'api_key', 'api-key', 'API_KEY', 'x-api-key', 'openai_api_key', 'api key', 'X_Api-Key', '\uff21\uff30\uff29_key', 'api\u200bkey', 'APIKEY', 'apikey'])(
    '074: hides the spelling %j',
    (name) => {
      expect(secret(name)).toBe(true);
    },
  );

  it.each([
    'password', 'Passwd', 'PASSPHRASE', 'pass_word', 'pass-phrase', 'dbURLPassword', 'APIToken', 'rootpassword', 'password2', 'new_password', 'passwordConfirmation', 'user[password]',
    'secret', 'secrets', 'client_secret_value', 'SecretString', 'authorization', 'Proxy-Authorization', 'Set-Cookie', 'cookies', 'credentials', 'db_credential', 'session', 'session_id', 'PHPSESSID',
    'private_key', 'ssh private key', 'signing_key', 'aws_secret_access_key', 'SecretAccessKey', 'encryptionKey', 'x-amz-security-token', 'id_token', '_authToken', 'jwt', 'otp', 'cvv', 'recovery_codes',
    'seed_phrase', 'mnemonic', '.dockerconfigjson', 'oauth2Token', 'secretKeyBase', 'pässword'.replace('ä', 'a\u0308'),
  ])('hides %j', (name) => {
    expect(secret(name)).toBe(true);
  });

  it.each([
    'max_tokens', 'token_count', 'inputTokens', 'tokenizer', 'secretary', 'author', 'authority', 'passport_country', 'keyboard', 'monkey', 'compass', 'bypass', 'sessions', 'description', 'maxtokens', 'total_tokens',
    'token_type', 'token_endpoint', 'secret_name', 'secret_arn', 'password_policy', 'cookie_consent', 'session_name', 'session_timeout', 'authorized', 'authorizer', 'author_name', 'key', 'primary_key', 'public_key',
    'sort_key', 'object_key', 'keys', 'access_key_id', 'code', 'country_code', 'phrase', 'passed', 'passenger', 'credential_type', 'eos_token', 'pinned', 'opinion', 'inside', 'passwordless',
  ])('091: shows %j', (name) => {
    expect(judgeName(name)).toBeUndefined();
  });
});

describe('what stands under a name', () => {
  it('091: keeps counts under plural tokens as numbers, and hides text there', () => {
    expect(hidesUnderName('tokens', 12)).toBe(false);
    expect(hidesUnderName('tokens', ['abc'])).toBe(true);
    expect(hidesUnderName('token', 123456)).toBe(true);
  });

  it('shows what says nothing: null, booleans, empty text and empty containers', () => {
    for (const value of [null, true, false, '', {}, []]) expect(hidesUnderName('password', value)).toBe(false);
    expect(hidesUnderName('credentials', { user: 'x' })).toBe(true);
  });

  it('hides under a weak name only text, and under an id only what looks like a credential', () => {
    expect(hidesUnderName('auth', 'dXNlcjpw')).toBe(true);
    expect(hidesUnderName('auth', { type: 'none' })).toBe(false);
    expect(hidesUnderName('pin', '4821')).toBe(true);
    expect(hidesUnderName('pin', 4821)).toBe(true);
    expect(hidesUnderName('pin', 13)).toBe(false);
    expect(hidesUnderName('secret_id', 'prod/payments/db')).toBe(false);
    expect(hidesUnderName('SecretId', 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-Ab12Cd')).toBe(false);
    expect(hidesUnderName('secret_id', '6f1c2d7e-6b5a-4f3e-8d1c')).toBe(true);
  });
});
