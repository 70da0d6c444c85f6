package io.gpusched.cli.rest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Reads trusted certificates from a PEM file, such as the one a server generated for itself.
public final class Certificates {
    private Certificates() {}

    /// A TLS context that trusts exactly these certificates. Throws `IllegalArgumentException` if
    /// the file cannot be read.
    public static SSLContext trustedIn(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store(in));
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "option --cacert: expected a file of PEM certificates, found "
                            + (e instanceof NoSuchFileException ? "no file" : e.getMessage())
                            + " at "
                            + file,
                    e);
        }
    }

    private static KeyStore store(InputStream in) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
            store.setCertificateEntry("ca-" + count++, certificate);
        }
        if (count == 0) {
            throw new IOException("no certificate in it");
        }
        return store;
    }
}
