package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Reads kubeconfig files. Of entries with the same name in several files, the first counts.
final class KubeConfigFile {
    private static final YAMLMapper YAML = new YAMLMapper();

    /// A part of a file, with where it is, for messages and for relative paths.
    private record Part(Path file, String field, JsonNode node) {
        Part child(String name) {
            return new Part(file, field + "." + name, node.path(name));
        }

        String text(String name) {
            return node.path(name).asText("");
        }

        Path path(String name) {
            return folder().resolve(text(name));
        }

        Path folder() {
            Path parent = file.toAbsolutePath().getParent();
            return parent == null ? Path.of("/") : parent;
        }

        InvalidKubeConfig wrong(String name, String problem) {
            String whole = field.isEmpty() ? name : field + "." + name;
            return new InvalidKubeConfig("%s: %s: %s".formatted(file, whole, problem));
        }

        /// The text of a field, of the file that another field names, or empty.
        String textOrFile(String data, String name) {
            if (!text(data).isEmpty()) {
                try {
                    return new String(
                            Base64.getDecoder().decode(text(data).replaceAll("\\s", "")),
                            StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    throw wrong(data, "expected base64; write it with `base64 -w0`");
                }
            }
            if (text(name).isEmpty()) {
                return "";
            }
            try {
                return Files.readString(path(name));
            } catch (IOException e) {
                throw wrong(name, "cannot read " + path(name) + "; correct the path or its rights");
            }
        }
    }

    private final List<Part> roots;
    private final InstantSource clock;

    KubeConfigFile(List<Path> files, InstantSource clock) {
        this.roots = files.stream().map(KubeConfigFile::parsed).toList();
        this.clock = clock;
    }

    private static Part parsed(Path file) {
        try {
            JsonNode root = YAML.readTree(file.toFile());
            if (!root.isObject()) {
                throw new InvalidKubeConfig(file + ": expected a kubeconfig file, a YAML object");
            }
            return new Part(file, "", root);
        } catch (JacksonException e) {
            var at = e.getLocation();
            throw new InvalidKubeConfig(
                    "%s: line %d is no YAML; correct it"
                            .formatted(file, at == null ? 1 : at.getLineNr()));
        } catch (IOException e) {
            throw new InvalidKubeConfig(
                    "%s cannot be read; name an existing kubeconfig file with --kubeconfig"
                            .formatted(file));
        }
    }

    /// @param name of a context; empty for the current one
    KubeConfig read(String name) {
        String chosen = name.isEmpty() ? current() : name;
        Part context = named("contexts", "context", chosen, "choose another with --context");
        Part cluster = linked(context, "cluster", "clusters");
        String user = context.text("user");
        Credentials credentials =
                user.isEmpty()
                        ? Credentials.none()
                        : credentials(linked(context, "user", "users"), cluster);
        String namespace = context.text("namespace");
        return new KubeConfig(
                server(cluster),
                trust(cluster),
                credentials,
                namespace.isEmpty() ? "default" : namespace);
    }

    private String current() {
        return roots.stream()
                .map(root -> root.text("current-context"))
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElseThrow(
                        () ->
                                roots.getFirst()
                                        .wrong(
                                                "current-context",
                                                "is not set; set it, or choose a context with"
                                                        + " --context"));
    }

    private Part linked(Part context, String kind, String list) {
        return named(list, kind, context.text(kind), "correct " + context.field() + "." + kind);
    }

    private Part named(String list, String kind, String name, String remedy) {
        var names = new ArrayList<String>();
        for (Part root : roots) {
            JsonNode entries = root.node().path(list);
            for (int i = 0; i < entries.size(); i++) {
                JsonNode entry = entries.get(i);
                names.add(entry.path("name").asText(""));
                if (names.getLast().equals(name)) {
                    return new Part(
                            root.file(), "%s[%d].%s".formatted(list, i, kind), entry.path(kind));
                }
            }
        }
        throw roots.getFirst()
                .wrong(
                        list,
                        "no %s '%s' (there are: %s); %s"
                                .formatted(kind, name, String.join(", ", names), remedy));
    }

    private static URI server(Part cluster) {
        try {
            URI server = URI.create(cluster.text("server").replaceFirst("/+$", ""));
            if (server.getHost() != null
                    && ("https".equals(server.getScheme()) || "http".equals(server.getScheme()))) {
                return server;
            }
        } catch (IllegalArgumentException e) {
            throw cluster.wrong("server", "expected an address such as https://10.0.0.1:6443");
        }
        throw cluster.wrong("server", "expected an address such as https://10.0.0.1:6443");
    }

    private static ServerTrust trust(Part cluster) {
        String text = cluster.textOrFile("certificate-authority-data", "certificate-authority");
        List<X509Certificate> authorities = List.of();
        if (!text.isEmpty()) {
            try {
                authorities = Pem.certificates(text);
            } catch (CertificateException | IllegalArgumentException e) {
                throw cluster.wrong("certificate-authority", "expected certificates in PEM form");
            }
        }
        return new ServerTrust(
                authorities,
                cluster.node().path("insecure-skip-tls-verify").asBoolean(false),
                cluster.text("tls-server-name"));
    }

    private Credentials credentials(Part user, Part cluster) {
        if (user.node().has("exec")) {
            return new ExecCredentials(command(user.child("exec"), cluster), clock);
        }
        if (user.node().has("auth-provider")) {
            throw user.wrong("auth-provider", "is not supported; use exec or a token");
        }
        if (!user.text("token").isEmpty()) {
            return fixed(user, "Bearer " + user.text("token"));
        }
        if (!user.text("tokenFile").isEmpty()) {
            return new RotatedToken(user.path("tokenFile"), clock);
        }
        if (!user.text("username").isEmpty()) {
            byte[] pair =
                    (user.text("username") + ":" + user.text("password"))
                            .getBytes(StandardCharsets.UTF_8);
            return fixed(user, "Basic " + Base64.getEncoder().encodeToString(pair));
        }
        return fixed(user, "");
    }

    private static Credentials fixed(Part user, String authorization) {
        return new Credentials.Fixed(
                authorization, certificate(user), user.file() + ": " + user.field());
    }

    private static ClientCertificate certificate(Part user) {
        String chain = user.textOrFile("client-certificate-data", "client-certificate");
        String key = user.textOrFile("client-key-data", "client-key");
        if (chain.isEmpty() && key.isEmpty()) {
            return ClientCertificate.NONE;
        }
        if (chain.isEmpty() || key.isEmpty()) {
            String missing = chain.isEmpty() ? "client-certificate" : "client-key";
            throw user.wrong(missing, "is missing; a certificate needs its key");
        }
        try {
            return ClientCertificate.of(chain, key);
        } catch (GeneralSecurityException | RuntimeException e) {
            String field = e instanceof CertificateException ? "client-certificate" : "client-key";
            throw user.wrong(field, e.getMessage() + "; expected PEM");
        }
    }

    private static ExecCredentials.Command command(Part exec, Part cluster) {
        String version = exec.text("apiVersion");
        if (!version.equals("client.authentication.k8s.io/v1")
                && !version.equals("client.authentication.k8s.io/v1beta1")) {
            throw exec.wrong(
                    "apiVersion",
                    "expected client.authentication.k8s.io/v1, found '%s'; update the program"
                            .formatted(version));
        }
        if (exec.text("interactiveMode").equals("Always")) {
            throw exec.wrong(
                    "interactiveMode",
                    "is Always, but the operator has no terminal; use Never or IfAvailable");
        }
        String program = exec.text("command");
        if (program.isEmpty()) {
            throw exec.wrong("command", "is missing; name the program to run");
        }
        var words = new ArrayList<String>();
        words.add(program.contains("/") ? exec.path("command").normalize().toString() : program);
        exec.node().path("args").forEach(each -> words.add(each.asText()));
        Map<String, String> environment = new LinkedHashMap<>();
        exec.node()
                .path("env")
                .forEach(
                        each ->
                                environment.put(
                                        each.path("name").asText(), each.path("value").asText()));
        return new ExecCredentials.Command(
                exec.file() + ": " + exec.field(),
                words,
                environment,
                exec.text("installHint"),
                request(version, exec, cluster));
    }

    /// What the program is told by `KUBERNETES_EXEC_INFO`.
    private static ObjectNode request(String version, Part exec, Part cluster) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("apiVersion", version).put("kind", "ExecCredential");
        ObjectNode spec = request.putObject("spec").put("interactive", false);
        if (exec.node().path("provideClusterInfo").asBoolean(false)) {
            ObjectNode told = spec.putObject("cluster").put("server", cluster.text("server"));
            Function<String, JsonNode> field = cluster.node()::path;
            for (String name :
                    List.of(
                            "certificate-authority-data",
                            "insecure-skip-tls-verify",
                            "tls-server-name")) {
                if (!field.apply(name).isMissingNode()) {
                    told.set(name, field.apply(name));
                }
            }
        }
        return request;
    }
}
