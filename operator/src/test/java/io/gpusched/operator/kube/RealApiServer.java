package io.gpusched.operator.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A real API server of Kubernetes 1.20 in processes of its own, as `.ci/kubernetes-1.20` builds
/// it, with an etcd that does not wait for its disk.
public final class RealApiServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOKEN = "contract-admin";

    private final Path folder;
    private final Path data;
    private final int port;
    private final int etcdPort;
    private final Process etcd;
    private Process server;

    /// A server that did not start leaves its log.
    private boolean isReady;

    private RealApiServer(Path folder) throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.data = Files.createTempDirectory("kubernetes-1.20");
        this.port = freePort();
        this.etcdPort = freePort();
        writeKey();
        Files.writeString(data.resolve("tokens.csv"), TOKEN + ",admin,admin,\"system:masters\"\n");
        this.etcd = startEtcd();
        this.server = startServer();
        awaitReady();
        this.isReady = true;
    }

    /// Where `.ci/kubernetes-1.20` puts the server.
    public static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path root =
                cache == null || cache.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache);
        return root.resolve("gpu-scheduler").resolve("kubernetes-1.20.2");
    }

    public static boolean isBuilt() {
        return Files.isExecutable(folder().resolve("kube-apiserver")) && hasEtcd();
    }

    private static boolean hasEtcd() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd")));
    }

    public static RealApiServer start() {
        try {
            return new RealApiServer(folder());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public KubeConfig config() {
        return new KubeConfig(
                URI.create("https://127.0.0.1:" + port),
                new ServerTrust(List.of(), true, ""),
                new Credentials.Fixed("Bearer " + TOKEN, ClientCertificate.NONE, "the test"),
                "default");
    }

    /// A kubeconfig file for other programs.
    public String kubeconfig() {
        return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: test
          cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}
        users: [{name: test, user: {token: %s}}]
        contexts: [{name: test, context: {cluster: test, user: test}}]
        current-context: test
        """
                .formatted(port, TOKEN);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void writeKey() throws IOException, GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        String text = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
        Files.writeString(
                data.resolve("accounts.key"),
                "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    private Process startEtcd() throws IOException {
        String url = "http://127.0.0.1:" + etcdPort;
        return started(
                "etcd",
                List.of(
                        "etcd",
                        "--unsafe-no-fsync",
                        "--data-dir=" + data.resolve("etcd"),
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=http://127.0.0.1:" + freePort()));
    }

    private Process startServer() throws IOException {
        Path key = data.resolve("accounts.key");
        return started(
                "apiserver",
                List.of(
                        folder.resolve("kube-apiserver").toString(),
                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                        "--secure-port=" + port,
                        "--bind-address=127.0.0.1",
                        "--cert-dir=" + data.resolve("certificates"),
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--token-auth-file=" + data.resolve("tokens.csv"),
                        "--authorization-mode=Node,RBAC",
                        "--disable-admission-plugins=ServiceAccount",
                        "--endpoint-reconciler-type=none"));
    }

    private Process started(String name, List<String> command) throws IOException {
        return new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(data.resolve(name + ".log").toFile()))
                .start();
    }

    private void awaitReady() throws IOException {
        Instant end = Instant.now().plus(PATIENCE);
        try (var api = new HttpKubeApi(config())) {
            while (true) {
                try {
                    api.get(ResourceType.NAMESPACES, "", "default");
                    api.get(ResourceType.PRIORITY_CLASSES, "", "system-node-critical");
                    return;
                } catch (KubeException e) {
                    if (!server.isAlive() || !etcd.isAlive() || Instant.now().isAfter(end)) {
                        close();
                        throw new IOException("the server does not start; see " + data, e);
                    }
                    Thread.onSpinWait();
                }
            }
        }
    }

    /// A server that has just started remembers no changes.
    void restart() {
        try {
            end(server);
            server = startServer();
            awaitReady();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end(server);
        end(etcd);
        if (isReady) {
            delete(data);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
