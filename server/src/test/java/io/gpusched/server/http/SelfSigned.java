package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate for `localhost` that the JDK's keytool makes, as PEM files, and clients that trust
/// it.
public record SelfSigned(Path certificate, Path key, KeyStore keys) {
    private static final char[] PASSWORD = "password".toCharArray();

    public static SelfSigned in(Path folder) throws Exception {
        Path store = folder.resolve("keys.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                keytool.toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-keystore",
                                store.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD),
                                "-validity",
                                "2")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Path certificate = folder.resolve("c.pem");
        Path key = folder.resolve("k.pem");
        pem(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
        pem(key, "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        return new SelfSigned(certificate, key, keys);
    }

    /// For clients.
    public SSLContext trusting() throws GeneralSecurityException, IOException {
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static void pem(Path file, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what));
    }
}
