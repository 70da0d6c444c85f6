package io.gpusched.operator.kube;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Certificates and private keys as text. The JDK reads keys as PKCS#8 only, so the older forms
/// that kubeconfig files have are wrapped:
///
///     PKCS#1, SEC1 key  →  SEQUENCE { 0, SEQUENCE { algorithm }, OCTET STRING { key } }
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] VERSION_0 = HEX.parseHex("020100");
    private static final byte[] RSA = HEX.parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HEX.parseHex("06072a8648ce3d0201");
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xa0;
    private static final int LONG_FORM = 0x80;
    private static final int BITS = 0xff;

    private Pem() {}

    static List<X509Certificate> certificates(String text) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        var found = new ArrayList<X509Certificate>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).endsWith("CERTIFICATE")) {
                var in = new ByteArrayInputStream(bytes(block));
                found.add((X509Certificate) factory.generateCertificate(in));
            }
        }
        if (found.isEmpty()) {
            throw new CertificateException("it contains no certificate in PEM form");
        }
        return found;
    }

    /// The first private key, as PKCS#8.
    static byte[] privateKey(String text) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            switch (block.group(1)) {
                case "PRIVATE KEY" -> {
                    return bytes(block);
                }
                case "RSA PRIVATE KEY" -> {
                    if (block.group(2).contains("ENCRYPTED")) {
                        throw encrypted();
                    }
                    return wrapped(RSA, bytes(block));
                }
                case "EC PRIVATE KEY" -> {
                    byte[] key = bytes(block);
                    return wrapped(tagged(SEQUENCE, joined(EC, curve(key))), key);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
                default -> {}
            }
        }
        throw new InvalidKeySpecException("it contains no private key in PEM form");
    }

    private static InvalidKeySpecException encrypted() {
        return new InvalidKeySpecException(
                "the key has a passphrase; decrypt it with `openssl pkey`");
    }

    private static byte[] bytes(Matcher block) {
        return Base64.getMimeDecoder().decode(block.group(2).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return tagged(SEQUENCE, joined(VERSION_0, algorithm, tagged(OCTETS, key)));
    }

    /// The name of the curve, which is the element `[0]` of a SEC1 key.
    private static byte[] curve(byte[] sec1) throws InvalidKeySpecException {
        int at = valueAt(sec1, 0);
        while (at < sec1.length) {
            int value = valueAt(sec1, at);
            int length = lengthAt(sec1, at);
            if ((sec1[at] & BITS) == PARAMETERS) {
                return java.util.Arrays.copyOfRange(sec1, value, value + length);
            }
            at = value + length;
        }
        throw new InvalidKeySpecException("the EC key does not name its curve");
    }

    private static int valueAt(byte[] der, int element) {
        int first = der[element + 1] & BITS;
        return element + 2 + (first < LONG_FORM ? 0 : first - LONG_FORM);
    }

    private static int lengthAt(byte[] der, int element) {
        int first = der[element + 1] & BITS;
        if (first < LONG_FORM) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < first - LONG_FORM; i++) {
            length = length << Byte.SIZE | der[element + 2 + i] & BITS;
        }
        return length;
    }

    private static byte[] tagged(int tag, byte[] value) {
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (value.length < LONG_FORM) {
            out.write(value.length);
        } else if (value.length <= BITS) {
            out.write(LONG_FORM + 1);
            out.write(value.length);
        } else {
            out.write(LONG_FORM + 2);
            out.write(value.length >> Byte.SIZE);
            out.write(value.length);
        }
        out.writeBytes(value);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
