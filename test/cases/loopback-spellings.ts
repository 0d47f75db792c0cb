/** Ways to write an address of this machine, its network or its cloud, as hosts of a URL. `PORT` is the listener's. */
export const loopbackHosts: readonly string[] = [
  // IPv4: dotted, shortened, decimal, octal, hexadecimal, mixed, with overflow of a part
  '127.0.0.1', '127.0.0.2', '127.1', '127.0.1', '127.255.255.254', '2130706433', '2130706434', '017700000001', '0177.0.0.1', '0177.0.0.01', '00000177.0.0.1', '0x7f000001',
  '0x7f.0.0.1', '0x7F.1', '0x7f.0x0.0x0.0x1', '127.0x1', '127.0.0x1', '0177.0x0.1', '127.0.00000.1', '0', '0.0.0.0', '0x0', '00', '0.0',
  // ... with dots and digits of other scripts, which URL parsers map to ASCII
  '127。0。0。1', '127.0.0.1', '①②⑦.⓪.⓪.①', '⑫7.0.0.1', '127.0.0.1.', '%31%32%37.0.0.1',
  // names
  'localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', 'loc%61lhost', 'zh.localhost',
  // IPv6: loopback, unspecified, mapped, compatible, translated, NAT64, local NAT64, 6to4, Teredo, link-local, unique local, site-local
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[0::0]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]', '[::ffff:0.0.0.0]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:7f00:0001:0:0:0:0:1]', '[2001:0:7f00:1::]', '[fe80::1]', '[fd00::1]', '[fec0::1]',
  // networks behind the machine, and the address under which clouds answer
  '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '0xa9fea9fe', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[::ffff:10.0.0.1]', '[ff02::1]', '[100::1]',
]

/** Whole addresses that name one host and mean another. */
export const loopbackAddresses: readonly string[] = [
  'http://pictures.example@127.0.0.1:PORT/a.png', 'http://pictures.example:80@127.0.0.1:PORT/a.png', 'http://127.0.0.1:PORT\\@pictures.example/a.png', 'http://pictures.example%2f@127.0.0.1:PORT/a.png',
  'http://127.0.0.1:PORT#@pictures.example/a.png', 'http://127.0.0.1:PORT?@pictures.example/a.png', 'http:127.0.0.1:PORT/a.png', 'http:/127.0.0.1:PORT/a.png', 'http:\\\\127.0.0.1:PORT\\a.png', 'http:///127.0.0.1:PORT/a.png',
  'HTTP://127.0.0.1:PORT/a.png', 'http://pictures.example.127.0.0.1.nip.example:PORT/a.png', 'http://user@pictures.example/a.png', 'http://user:word@pictures.example:PORT/a.png', 'http://pictures.example:PORT/a.png',
  'http://pictures.example./a.png', 'http://xn--pictures-.example/a.png', 'http://pictures.example:22/a.png', 'https://pictures.example:PORT/a.png', 'http://sub.pictures.example/a.png', 'http://pictures.example.evil.example/a.png',
]
