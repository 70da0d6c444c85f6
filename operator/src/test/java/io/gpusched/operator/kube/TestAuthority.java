package io.gpusched.operator.kube;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// A certificate that signs itself, used by a server, and by clients that must show it.
///
/// @param certificate in PEM
/// @param key in PEM
record TestAuthority(KeyStore store, Path certificate, Path key) {
    private static final String PASSWORD = "changeit";

    /// @param name the only host name of the certificate
    static TestAuthority in(Path folder, String name) {
        try {
            Path file = folder.resolve("store.p12");
            Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            String options =
                    "-genkeypair -alias test -keyalg EC -dname CN=test -storetype PKCS12 -storepass"
                            + " "
                            + PASSWORD;
            var words = new ArrayList<String>();
            words.add(keytool.toString());
            words.addAll(List.of(options.split(" ")));
            words.addAll(List.of("-ext", "san=dns:" + name));
            words.addAll(List.of("-keystore", file.toString()));
            Process made = new ProcessBuilder(words).redirectErrorStream(true).start();
            String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (made.waitFor() != 0) {
                throw new AssertionError(said);
            }
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            return new TestAuthority(
                    store,
                    pem(
                            folder.resolve("test.crt"),
                            "CERTIFICATE",
                            store.getCertificate("test").getEncoded()),
                    pem(
                            folder.resolve("test.key"),
                            "PRIVATE KEY",
                            store.getKey("test", PASSWORD.toCharArray()).getEncoded()));
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(
                file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
    }

    /// @param needsClient only clients with this certificate may connect
    ServerSocketFactory sockets(boolean needsClient) {
        try {
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("test", store.getCertificate("test"));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return new Sockets(context.getServerSocketFactory(), needsClient);
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Sockets extends ServerSocketFactory {
        private final SSLServerSocketFactory plain;
        private final boolean needsClient;

        Sockets(SSLServerSocketFactory plain, boolean needsClient) {
            this.plain = plain;
            this.needsClient = needsClient;
        }

        @Override
        public ServerSocket createServerSocket() throws IOException {
            var socket = (SSLServerSocket) plain.createServerSocket();
            socket.setNeedClientAuth(needsClient);
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return plain.createServerSocket(port);
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) throws IOException {
            return plain.createServerSocket(port, backlog);
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
                throws IOException {
            return plain.createServerSocket(port, backlog, address);
        }
    }
}
