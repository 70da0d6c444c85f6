package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

@Timeout(120)
final class KubeConfigTest {
    private static final String TWO =
            """
            apiVersion: v1
            kind: Config
            current-context: one
            contexts:
            - {name: one, context: {cluster: a, user: u, namespace: team}}
            - {name: two, context: {cluster: b, user: v}}
            clusters:
            - {name: a, cluster: {server: 'https://a.example:6443/'}}
            - {name: b, cluster: {server: 'http://b.example'}}
            users:
            - {name: u, user: {token: secret-a}}
            - {name: v, user: {username: eve, password: pw}}
            """;

    @TempDir private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("config"), text);
    }

    @Test
    void theCurrentContextCountsUnlessAnotherIsNamed() throws IOException {
        KubeConfig one = KubeConfig.file(file(TWO), "");
        assertThat(one.server()).hasToString("https://a.example:6443");
        assertThat(one.namespace()).isEqualTo("team");
        assertThat(one.credentials().authorization()).isEqualTo("Bearer secret-a");
        KubeConfig two = KubeConfig.file(file(TWO), "two");
        assertThat(two.server()).hasToString("http://b.example");
        assertThat(two.namespace()).isEqualTo("default");
        assertThat(two.credentials().authorization()).isEqualTo("Basic ZXZlOnB3");
    }

    @Test
    void secretsAreNotShown() throws IOException {
        KubeConfig config = KubeConfig.file(file(TWO), "");
        assertThat(config.toString() + config.credentials()).doesNotContain("secret-a");
        assertThat(config)
                .hasToString(config.server() + " with " + folder + "/config: users[0].user");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    current-context: one| current-context: three| contexts: no context 'three' (there are: one, two); choose another with --context
                    current-context: one| x: y| current-context: is not set; set it, or choose a context with --context
                    cluster: a,| cluster: c,| clusters: no cluster 'c' (there are: a, b); correct contexts[0].context.cluster
                    'https://a.example:6443/'| nowhere| clusters[0].cluster.server: expected an address such as https://10.0.0.1:6443
                    token: secret-a| auth-provider: {name: gcp}| users[0].user.auth-provider: is not supported; use exec or a token
                    token: secret-a| client-certificate: c.crt| users[0].user.client-certificate: cannot read FOLDER/c.crt; correct the path or its rights
                    token: secret-a| client-key-data: '*'| users[0].user.client-key-data: expected base64; write it with `base64 -w0`
                    token: secret-a| client-key-data: eHg=| users[0].user.client-certificate: is missing; a certificate needs its key
                    token: secret-a| exec: {apiVersion: v0}| users[0].user.exec.apiVersion: expected client.authentication.k8s.io/v1, found 'v0'; update the program
                    token: secret-a| exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always}| users[0].user.exec.interactiveMode: is Always, but the operator has no terminal; use Never or IfAvailable
                    """)
    void mistakesAreNamedWithFileFieldAndRemedy(String right, String wrong, String message)
            throws IOException {
        assertThat(TWO).contains(right);
        Path file = file(TWO.replace(right, wrong));
        assertThatThrownBy(() -> KubeConfig.file(file, ""))
                .isInstanceOf(InvalidKubeConfig.class)
                .hasMessage(file + ": " + message.replace("FOLDER", folder.toString()));
    }

    @Test
    void aFileThatIsNoKubeconfigIsRefused() throws IOException {
        Path broken = file("a: [");
        assertThatThrownBy(() -> KubeConfig.file(broken, "")).hasMessageContaining("is no YAML");
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> KubeConfig.file(missing, ""))
                .hasMessage(
                        missing
                                + " cannot be read; name an existing kubeconfig file with"
                                + " --kubeconfig");
    }

    @Test
    void severalFilesOfTheEnvironmentAreOne() throws IOException {
        Path contexts =
                Files.writeString(
                        folder.resolve("contexts"),
                        "{current-context: x, contexts: [{name: x, context: {cluster: b}}]}");
        String listed = contexts + ":" + file(TWO) + ":" + folder.resolve("missing");
        KubeConfig config = KubeConfig.find("", "", Map.of("KUBECONFIG", listed));
        assertThat(config.server()).hasToString("http://b.example");
        assertThat(config.credentials().authorization()).isEmpty();
    }

    @Test
    void withoutAnyClusterTheRemedyIsSaid() {
        assertThatThrownBy(() -> KubeConfig.find("", "", Map.of("HOME", folder.toString())))
                .hasMessageContaining("name a file with --kubeconfig");
    }

    @Test
    void aPodUsesItsServiceAccountAndReadsARefusedTokenAgain() throws IOException {
        TestAuthority authority = TestAuthority.in(folder, "other.example");
        Files.copy(authority.certificate(), folder.resolve("ca.crt"));
        Path token = Files.writeString(folder.resolve("token"), "old\n");
        Files.writeString(folder.resolve("namespace"), "gpu-system");
        KubeConfig config =
                KubeConfig.inCluster(
                        Map.of(
                                "KUBERNETES_SERVICE_HOST",
                                "fd00::1",
                                "KUBERNETES_SERVICE_PORT",
                                "6443"),
                        folder);
        assertThat(config.server()).hasToString("https://[fd00::1]:6443");
        assertThat(config.namespace()).isEqualTo("gpu-system");
        assertThat(config.trust().authorities()).hasSize(1);
        try (var server = FakeApiServer.start()) {
            server.access().grant("new", "", TestObjects.tree(READ_NODES));
            var inside =
                    new KubeConfig(
                            server.url(), config.trust(), config.credentials(), config.namespace());
            try (var api = new HttpKubeApi(inside)) {
                assertThat(catchThrowableOfType(KubeException.class, () -> nodes(api)).code())
                        .isEqualTo(401);
                Files.writeString(token, "new\n");
                assertThat(nodes(api)).isZero();
            }
        }
    }

    private static final String READ_NODES =
            "{rules: [{apiGroups: [''], resources: [nodes], verbs: [list]}]}";

    private static int nodes(KubeApi api) {
        return api.list(ResourceType.NODES, ListQuery.all()).items().size();
    }

    @Test
    void aServerIsKnownByItsAuthorityAndItsName() throws IOException {
        TestAuthority authority = TestAuthority.in(folder, "api.example");
        try (var server = FakeApiServer.secure(authority.sockets(false))) {
            String known = "certificate-authority: test.crt, tls-server-name: ";
            assertThat(minor(server, known + "api.example", "{}")).isEqualTo("34");
            assertThat(minor(server, "insecure-skip-tls-verify: true", "{}")).isEqualTo("34");
            String data =
                    Base64.getEncoder().encodeToString(Files.readAllBytes(authority.certificate()));
            assertThat(
                            minor(
                                    server,
                                    "tls-server-name: api.example, certificate-authority-data: "
                                            + data,
                                    "{}"))
                    .isEqualTo("34");
            assertThat(minor(server, known + "other.example", "{}"))
                    .contains(
                            "no secure connection",
                            "check certificate-authority and tls-server-name");
            assertThat(minor(server, "tls-server-name: api.example", "{}"))
                    .contains("no secure connection");
        }
    }

    @Test
    void aClientIsKnownByItsCertificate() throws IOException {
        TestAuthority authority = TestAuthority.in(folder, "api.example");
        String known = "certificate-authority: test.crt, tls-server-name: api.example";
        try (var server = FakeApiServer.secure(authority.sockets(true))) {
            assertThat(minor(server, known, "{client-certificate: test.crt, client-key: test.key}"))
                    .isEqualTo("34");
            assertThat(minor(server, known, "{}")).contains("at " + server.url());
        }
    }

    /// @return what the server answers, or the failure
    private String minor(FakeApiServer server, String cluster, String user) throws IOException {
        Path file =
                file(
                        """
                        current-context: x
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        clusters: [{name: c, cluster: {server: '%s', %s}}]
                        users: [{name: u, user: %s}]
                        """
                                .formatted(server.url(), cluster, user));
        try (var api = new HttpKubeApi(KubeConfig.file(file, ""))) {
            return api.get("/version").path("minor").asText();
        } catch (KubeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void aProgramGivesATokenAndIsRunAgainWhenItExpires() throws IOException {
        Files.writeString(folder.resolve("runs"), "");
        KubeConfig config =
                exec(
                        """
                        echo run >> runs
                        printf '{"status":{"token":"t%s","expirationTimestamp":"2020-01-01T00:00:00Z"}}' $(wc -l < runs)
                        """,
                        "");
        assertThat(config.credentials().authorization()).isEqualTo("Bearer t1");
        assertThat(config.credentials().authorization()).isEqualTo("Bearer t2");
    }

    @Test
    void aProgramIsToldWhatItMayKnow() throws IOException {
        KubeConfig config =
                exec(
                        """
                        printf '%s' "$KUBERNETES_EXEC_INFO" > told
                        echo '{"status":{"token":"t-'$MODE-$1'"}}'
                        """,
                        ", provideClusterInfo: true, args: [fast], env: [{name: MODE, value: x}]");
        assertThat(config.credentials().authorization()).isEqualTo("Bearer t-x-fast");
        assertThat(config.credentials().authorization()).isEqualTo("Bearer t-x-fast");
        assertThat(TestObjects.tree(Files.readString(folder.resolve("told"))).path("spec"))
                .hasToString(
                        "{\"interactive\":false,\"cluster\":{\"server\":\"https://a.example\"}}");
    }

    @Test
    void aProgramMayGiveACertificate() throws IOException {
        TestAuthority.in(folder, "api.example");
        Files.writeString(folder.resolve("key.pem"), PemTest.text("rsa-pkcs1.pem"));
        KubeConfig config =
                exec(
                        """
                        line() { sed ':a;N;$!ba;s/\\r//g;s/\\n/\\\\n/g' "$1"; }
                        printf '%s' '{"status":{"clientCertificateData":"'"$(line test.crt)"'","clientKeyData":"'"$(line key.pem)"'"}}'
                        """,
                        "");
        assertThat(config.credentials().certificate().chain()).hasSize(1);
        assertThat(config.credentials().authorization()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    echo no login >&2; exit 3| ended with code 3: no login
                    echo token| printed no JSON object of kind ExecCredential
                    echo '{}'| printed neither status.token nor status.clientCertificateData
                    """)
    void aProgramThatFailsIsNamed(String script, String message) throws IOException {
        KubeConfig config = exec(script, "");
        assertThatThrownBy(() -> config.credentials().authorization())
                .hasMessage(
                        "%1$s/config: users[0].user.exec: the program '%1$s/login' %2$s"
                                .formatted(folder, message));
    }

    private KubeConfig exec(String script, String more) throws IOException {
        Path program = folder.resolve("login");
        Files.writeString(
                program, "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + script, StandardCharsets.UTF_8);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path file =
                file(
                        """
                        current-context: x
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        clusters: [{name: c, cluster: {server: 'https://a.example'}}]
                        users:
                        - name: u
                          user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login%s}}
                        """
                                .formatted(more));
        return KubeConfig.file(file, "");
    }
}
