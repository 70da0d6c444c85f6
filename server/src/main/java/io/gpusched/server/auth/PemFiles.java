package io.gpusched.server.auth;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Reads a certificate and its private key from PEM files.
public final class PemFiles {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemFiles() {}

    /// A TLS context with the certificate. Throws an exception that says which file is wrong.
    public static SSLContext context(Path certificate, Path key) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            char[] unused = new char[0];
            store.setKeyEntry("server", privateKey(key), unused, chain(certificate));
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, unused);
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "api.tls_cert_file %s and api.tls_key_file %s: expected PEM files that belong together, but: %s"
                            .formatted(certificate, key, reason(e)),
                    e);
        }
    }

    /// The message of a [NoSuchFileException] is only the file's name, so it gets words of its own.
    private static String reason(Exception e) {
        return e instanceof NoSuchFileException missing
                ? "there is no file " + missing.getFile()
                : String.valueOf(e.getMessage());
    }

    private static Certificate[] chain(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file);
        int begin = text.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = text.indexOf("-----END PRIVATE KEY-----");
        if (begin < 0 || end < begin) {
            throw new GeneralSecurityException(
                    "no \"BEGIN PRIVATE KEY\" in "
                            + file
                            + "; convert the key with: openssl pkcs8 -topk8 -nocrypt");
        }
        var spec =
                new PKCS8EncodedKeySpec(
                        Base64.getMimeDecoder()
                                .decode(text.substring(text.indexOf('\n', begin), end)));
        GeneralSecurityException last = new GeneralSecurityException("no key in " + file);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException other) {
                last = other;
            }
        }
        throw last;
    }
}
