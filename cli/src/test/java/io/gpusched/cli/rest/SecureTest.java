package io.gpusched.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// TLS with a certificate that is trusted only through `--cacert`.
final class SecureTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir static Path folder;
    private static Path certificate;
    private static Stand stand;

    @BeforeAll
    static void open() throws Exception {
        Path keys = folder.resolve("keys.p12");
        certificate = folder.resolve("ca.pem");
        keytool(
                "-genkeypair",
                "-keystore",
                keys.toString(),
                "-alias",
                "s",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost");
        keytool(
                "-exportcert",
                "-keystore",
                keys.toString(),
                "-alias",
                "s",
                "-rfc",
                "-file",
                certificate.toString());
        var server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        stand =
                new Stand(server)
                        .says("GET /api/v1/cluster/status", "{}")
                        .says("PATCH /api/v1/jobs/j", "{}");
    }

    @AfterAll
    static void close() {
        stand.close();
    }

    @Test
    void theRightCertificateOpensTheDoor() {
        assertThat(run("localhost", "status", "--cacert", certificate.toString()).err()).isEmpty();
        assertThat(run("localhost", "priority", "j", "1", "--cacert", certificate.toString()).err())
                .isEmpty();
    }

    @Test
    void theCertificateMayComeFromTheEnvironment() {
        var shell =
                new Shell()
                        .with("GPU_SCHEDULER_API_URL", "https://localhost:" + stand.port())
                        .with("GPU_SCHEDULER_CACERT", certificate.toString());

        assertThat(shell.run("status").err()).isEmpty();
    }

    @Test
    void theWrongOneOfHttpAndHttpsIsNamed() throws Exception {
        var plain = new Shell().with("GPU_SCHEDULER_API_URL", "http://localhost:" + stand.port());
        assertThat(plain.run("status").err()).contains("https:// in --api-url");

        try (var open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> answerInPlainText(open));
            var secure =
                    new Shell()
                            .with(
                                    "GPU_SCHEDULER_API_URL",
                                    "https://127.0.0.1:" + open.getLocalPort());
            assertThat(secure.run("status").err()).contains("http:// in --api-url");
            server.join();
        }
    }

    private static void answerInPlainText(ServerSocket listening) {
        try (var socket = listening.accept()) {
            var _ = socket.getInputStream().read();
            socket.getOutputStream()
                    .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withoutItTheDoorStaysShut() {
        var outcome = run("localhost", "status");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("no secure connection")
                .contains("give the certificate that signed the server's with --cacert");
    }

    @Test
    void aCertificateOfAnotherNameIsNotTrusted() {
        assertThat(run("127.0.0.1", "status", "--cacert", certificate.toString()).err())
                .contains("no secure connection");
    }

    @Test
    void aFileWithoutCertificatesIsWrongUsage() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");

        for (String file : new String[] {empty.toString(), "absent.pem"}) {
            var outcome = run("localhost", "status", "--cacert", file);

            assertThat(outcome.code()).isEqualTo(2);
            assertThat(outcome.err()).contains("--cacert").contains("expected a file of PEM");
        }
    }

    private static Shell.Outcome run(String host, String... words) {
        return new Shell()
                .with("GPU_SCHEDULER_API_URL", "https://" + host + ":" + stand.port())
                .run(words);
    }

    private static SSLContext context(Path keys) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(String... words) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words));
        command.addAll(List.of("-storepass", "password", "-storetype", "PKCS12"));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.txt").toFile())
                        .start();
        assertThat(process.waitFor()).isZero();
    }
}
