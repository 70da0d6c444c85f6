package io.gpusched.operator.kube;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Where an API server is, how to know it, and who we are to it: from kubeconfig files, or from
/// what every pod finds in its file system.
public final class KubeConfig {
    static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private final URI server;
    private final ServerTrust trust;
    private final Credentials credentials;
    private final String namespace;

    KubeConfig(URI server, ServerTrust trust, Credentials credentials, String namespace) {
        this.server = server;
        this.trust = trust;
        this.credentials = credentials;
        this.namespace = namespace;
    }

    /// The first of: the named file, the files of `KUBECONFIG`, the service account of the pod that
    /// this process runs in, and `~/.kube/config`.
    ///
    /// @param file empty if none is named
    /// @param context empty for the current one
    public static KubeConfig find(String file, String context, Map<String, String> environment) {
        if (!file.isEmpty()) {
            return file(Path.of(file), context);
        }
        String listed = environment.getOrDefault("KUBECONFIG", "");
        if (!listed.isEmpty()) {
            return merged(listed, context);
        }
        if (environment.containsKey("KUBERNETES_SERVICE_HOST")) {
            return inCluster(environment, SERVICE_ACCOUNT);
        }
        Path usual = Path.of(environment.getOrDefault("HOME", ""), ".kube", "config");
        if (Files.exists(usual)) {
            return file(usual, context);
        }
        throw new InvalidKubeConfig(
                "no cluster: %s does not exist, KUBECONFIG is not set, and this is no pod; name a file with --kubeconfig"
                        .formatted(usual));
    }

    public static KubeConfig file(Path file, String context) {
        return new KubeConfigFile(List.of(file), InstantSource.system()).read(context);
    }

    /// A server that wants no credentials, as test servers do.
    public static KubeConfig open(URI server) {
        return of(server, "");
    }

    /// A server that takes a bearer token.
    ///
    /// @param token empty for none
    public static KubeConfig of(URI server, String token) {
        return new KubeConfig(
                server,
                new ServerTrust(List.of(), false, ""),
                new Credentials.Fixed(
                        token.isEmpty() ? "" : "Bearer " + token,
                        ClientCertificate.NONE,
                        "the given token"),
                "default");
    }

    private static KubeConfig merged(String listed, String context) {
        List<Path> files =
                Stream.of(listed.split(File.pathSeparator))
                        .filter(each -> !each.isEmpty())
                        .map(Path::of)
                        .toList();
        List<Path> present = files.stream().filter(Files::exists).toList();
        return new KubeConfigFile(present.isEmpty() ? files : present, InstantSource.system())
                .read(context);
    }

    /// @param folder has `token`, `ca.crt` and `namespace`
    static KubeConfig inCluster(Map<String, String> environment, Path folder) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        URI server =
                URI.create(
                        "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
        var token = new RotatedToken(folder.resolve("token"), InstantSource.system());
        try {
            var authorities = Pem.certificates(Files.readString(folder.resolve("ca.crt")));
            Path namespace = folder.resolve("namespace");
            return new KubeConfig(
                    server,
                    new ServerTrust(authorities, false, ""),
                    token,
                    Files.exists(namespace) ? Files.readString(namespace).strip() : "default");
        } catch (IOException | CertificateException e) {
            throw new InvalidKubeConfig(
                    "%s cannot be read (%s); set automountServiceAccountToken: true for the pod"
                            .formatted(folder.resolve("ca.crt"), e.getMessage()));
        }
    }

    public URI server() {
        return server;
    }

    /// The namespace of the context, or of the pod that this process runs in.
    public String namespace() {
        return namespace;
    }

    ServerTrust trust() {
        return trust;
    }

    Credentials credentials() {
        return credentials;
    }

    /// Names the server and where the credentials come from; never what they are.
    @Override
    public String toString() {
        return server + " with " + credentials.origin();
    }
}
