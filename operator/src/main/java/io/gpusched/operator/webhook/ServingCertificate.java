package io.gpusched.operator.webhook;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// A certificate that signs itself, for the names of one Service, with its key. The API server
/// trusts exactly this one, so nobody else has to sign it.
record ServingCertificate(X509Certificate certificate, PrivateKey key) {
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final int DNS_NAME = 2;
    private static final int SERIAL_BITS = 127;

    /// Clocks of machines differ.
    private static final Duration EARLIER = Duration.ofHours(1);

    /// Makes a certificate with a key of its own.
    static ServingCertificate make(List<String> names, Instant now, Duration life) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] unsigned = unsigned(pair, names, now, life);
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(unsigned);
            byte[] encoded = Der.sequence(unsigned, algorithm(), Der.bits(0, signature.sign()));
            return new ServingCertificate(parse(encoded), pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has elliptic curves", e);
        }
    }

    private static byte[] unsigned(KeyPair pair, List<String> names, Instant now, Duration life) {
        byte[] name =
                Der.sequence(
                        Der.set(
                                Der.sequence(
                                        Der.identifier(COMMON_NAME), Der.text(names.getFirst()))));
        return Der.sequence(
                Der.around(0, Der.integer(BigInteger.TWO)), // version 3
                Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
                algorithm(),
                name,
                Der.sequence(Der.time(now.minus(EARLIER)), Der.time(now.plus(life))),
                name,
                pair.getPublic().getEncoded(),
                Der.around(3, extensions(names)));
    }

    private static byte[] algorithm() {
        return Der.sequence(Der.identifier(ECDSA_WITH_SHA256));
    }

    private static byte[] extensions(List<String> names) {
        byte[] all =
                Der.concat(
                        names.stream()
                                .map(name -> name.getBytes(StandardCharsets.US_ASCII))
                                .map(name -> Der.instead(DNS_NAME, name))
                                .toArray(byte[][]::new));
        return Der.sequence(
                // An authority, as some clients want of what they are told to trust.
                extension(BASIC_CONSTRAINTS, Der.sequence(Der.truth())),
                // Digital signature and signing of certificates: bits 0 and 5.
                extension(KEY_USAGE, Der.bits(2, new byte[] {(byte) 0b1000_0100})),
                Der.sequence(
                        Der.identifier(EXTENDED_KEY_USAGE),
                        Der.octets(Der.sequence(Der.identifier(SERVER_AUTHENTICATION)))),
                Der.sequence(Der.identifier(ALTERNATIVE_NAMES), Der.octets(Der.sequence(all))));
    }

    private static byte[] extension(String identifier, byte[] content) {
        return Der.sequence(Der.identifier(identifier), Der.truth(), Der.octets(content));
    }

    private static X509Certificate parse(byte[] encoded) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(encoded));
    }

    /// Reads what [#certificatePem] and [#keyPem] wrote. Throws [GeneralSecurityException] if it is
    /// something else.
    static ServingCertificate read(String certificatePem, String keyPem)
            throws GeneralSecurityException {
        byte[] key;
        try {
            key = Base64.getMimeDecoder().decode(keyPem.replaceAll("-----[^-]*-----", ""));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the key is no PEM text", e);
        }
        return new ServingCertificate(
                parse(certificatePem.getBytes(StandardCharsets.US_ASCII)),
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)));
    }

    String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("it was encoded before", e);
        }
    }

    String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static String pem(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind);
    }

    boolean isGoodFor(List<String> names, Instant until) {
        try {
            var alternatives = certificate.getSubjectAlternativeNames();
            return certificate.getNotAfter().toInstant().isAfter(until)
                    && alternatives != null
                    && alternatives.stream().map(each -> each.get(1)).toList().equals(names);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
