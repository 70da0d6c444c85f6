package io.gpusched.gateway.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A key and a certificate that it signs itself, as files for a server.
///
/// @param key in PEM
/// @param certificate in PEM
/// @param trust a context that trusts this certificate only
record TestCertificate(Path key, Path certificate, SSLContext trust) {
    private static final String PASSWORD = "changeit";

    /// @param names such as `dns:localhost,ip:127.0.0.1`
    static TestCertificate of(Path folder, String names)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve("store.p12");
        int ended =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=test",
                                "-ext",
                                "san=" + names,
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.log").toFile())
                        .start()
                        .waitFor();
        if (ended != 0) {
            throw new AssertionError(Files.readString(folder.resolve("keytool.log")));
        }
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return new TestCertificate(
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        store.getKey("server", PASSWORD.toCharArray()).getEncoded()),
                pem(
                        folder.resolve("certificate.pem"),
                        "CERTIFICATE",
                        store.getCertificate("server").getEncoded()),
                context);
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(
                file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
    }
}
