package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.agent.GpuFacts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Options of the agent, valid and invalid.
final class AgentSettingsTest {
    private static AgentSettings read(String... arguments) throws IOException {
        return AgentSettings.of(AgentOption.read(List.of(arguments), Map.of()));
    }

    @Test
    void allOptionsHaveDefaults() throws IOException {
        AgentSettings agentSettings = read();
        assertThat(agentSettings.server().getPort()).isEqualTo(9090);
        assertThat(agentSettings.plaintext()).isTrue();
        assertThat(agentSettings.joinToken().get()).isEmpty();
        assertThat(agentSettings.node().id()).isNotEmpty();
        assertThat(agentSettings.node().facts().getCpuCores()).isPositive();
        assertThat(agentSettings.node().facts().getMemoryMb()).isPositive();
        assertThat(agentSettings.node().probe().gpus()).isEmpty();
    }

    @Test
    void aFlagWinsOverTheEnvironmentWhichWinsOverTheFile(@TempDir Path directory)
            throws IOException {
        Path file = directory.resolve("agent.yaml");
        Files.writeString(
                file, "# mine\nnode_id: \"of-file\"\ncpus: 3\nlabels: zone=b, disk=nvme\n");
        Map<AgentOption, String> said =
                AgentOption.read(
                        List.of("--config", file.toString(), "--node-id=of-flag"),
                        Map.of("GPU_AGENT_NODE_ID", "of-env", "GPU_AGENT_CPUS", "4"));
        AgentSettings agentSettings = AgentSettings.of(said);
        assertThat(agentSettings.node().id()).isEqualTo("of-flag");
        assertThat(agentSettings.node().facts().getCpuCores()).isEqualTo(4);
        assertThat(agentSettings.node().facts().getLabelsMap())
                .isEqualTo(Map.of("zone", "b", "disk", "nvme"));
    }

    @Test
    void fakeGpusAreConnectedAsIsUsual() throws IOException {
        var facts = read("--fake-gpus", "8xA100-80GB").node().facts();
        assertThat(facts.getLinksCount()).isEqualTo(28);
        assertThat(facts.getLinks(0).getLanes()).isEqualTo(12);
        assertThat(read("--fake-gpus", "8xA100-80GB").node().probe().gpus().getLast().getSocket())
                .isEqualTo(1);
    }

    @Test
    void aTopologyIsReadFromItsFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("topo.txt");
        Files.writeString(file, "\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n");
        var facts =
                read("--fake-gpus", "2xA100-80GB", "--topology", file.toString()).node().facts();
        assertThat(facts.getLinks(0).getLanes()).isEqualTo(4);
        assertThatThrownBy(() -> read("--fake-gpus", "4xA100-80GB", "--topology", file.toString()))
                .hasMessageContaining("describes 2 GPUs, this node has 4");
        assertThatThrownBy(() -> read("--fake-gpus", "2xL40S-48GB", "--topology", file + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such file");
    }

    @Test
    void aSchedulerElsewhereIsSpokenToUnderTls() throws IOException {
        assertThat(read("--server", "192.0.2.7:9443").plaintext()).isFalse();
        assertThat(read("--server", "192.0.2.7:9443", "--plaintext", "yes").plaintext()).isTrue();
        assertThat(read("--server", "[::1]:9443").plaintext()).isTrue();
    }

    @Test
    void aTrustedCaImpliesTlsByDefault() throws IOException {
        assertThat(read("--tls-ca", "ca.pem").plaintext()).isFalse();
        assertThat(read("--server", "127.0.0.1:9090", "--tls-ca", "ca.pem").plaintext()).isFalse();
        assertThat(read("--tls-ca", "ca.pem", "--plaintext", "yes").plaintext()).isTrue();
        assertThat(read("--plaintext", "no").plaintext()).isFalse();
    }

    @Test
    void theTokenFileIsReadAnew(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "first\n");
        AgentSettings agentSettings = read("--join-token-file", file.toString());
        assertThat(agentSettings.joinToken().get()).isEqualTo("first");
        Files.writeString(file, "second\n");
        assertThat(agentSettings.joinToken().get()).isEqualTo("second");
    }

    @Test
    void taintsLeaseAndLogsAreUnderstood() throws IOException {
        AgentSettings agentSettings =
                read(
                        "--taints",
                        "team=a:NoSchedule,spot:NoExecute",
                        "--lease-minutes",
                        "5",
                        "--log-mb",
                        "16");
        assertThat(agentSettings.node().facts().getTaints(0).getValue()).isEqualTo("a");
        assertThat(agentSettings.node().facts().getTaints(1).getEffect()).isEqualTo("NoExecute");
        assertThat(agentSettings.longestLease()).isEqualTo(Duration.ofMinutes(5));
        assertThat(agentSettings.log().segmentBytes() * agentSettings.log().segments())
                .isEqualTo(16 << 20);
    }

    @Test
    void aModelCacheIsAnnouncedByALabelOfTheNode() throws IOException {
        AgentSettings settings = read("--model-cache", "/var/models", "--model-cache-gb", "500");
        assertThat(settings.models().bytes()).isEqualTo(500_000_000_000L);
        assertThat(settings.node().facts().getLabelsMap())
                .containsEntry("gpu-scheduler.io/model-cache-gb", "500");
        assertThat(read().node().facts().getLabelsMap()).isEmpty();
        assertThatThrownBy(() -> read("--model-cache-gb", "500"))
                .hasMessageContaining("expected --model-cache DIR beside it");
    }

    @Test
    void invalidValuesAreReportedWithValidOnes() {
        assertThatThrownBy(() -> read("--label", "a=b")).hasMessageContaining("--labels");
        assertThatThrownBy(() -> read("--check")).hasMessageContaining("unknown option --check");
        assertThatThrownBy(() -> read("--cpus")).hasMessage("expected a value after --cpus");
        assertThatThrownBy(() -> read("--labels", "a")).hasMessageContaining("zone=b");
        assertThatThrownBy(() -> read("--cpus", "many")).hasMessageContaining("whole number");
        assertThatThrownBy(() -> read("--cpus", "-1")).hasMessageContaining("whole number");
        assertThatThrownBy(() -> read("--server", "host:0")).hasMessageContaining("HOST:PORT");
        assertThatThrownBy(() -> read("--taints", "a=b")).hasMessageContaining("NoSchedule");
        assertThatThrownBy(() -> read("--config", "/no/such")).hasMessageContaining("/no/such");
        assertThatThrownBy(() -> read("--server")).hasMessageContaining("value after --server");
        assertThatThrownBy(() -> read("--fake-gpus", "lots")).hasMessageContaining("8xA100-80GB");
        for (String none : List.of("0xA100", "000xT4", "2xT4,0xA100-80GB")) {
            assertThatThrownBy(() -> read("--fake-gpus", none))
                    .hasMessageStartingWith("--fake-gpus: expected a count of at least 1")
                    .hasMessageContaining("found '" + none.substring(none.indexOf(',') + 1) + "'")
                    .hasMessageContaining("leave it out");
        }
        assertThatThrownBy(() -> read("--fake-gpus", "99xT4")).hasMessageContaining("64");
        assertThatThrownBy(() -> read("--fake-gpus", "2xODD")).hasMessageContaining("ODD-24GB");
    }

    @Test
    void fakeGpusHaveModelAndMemory() {
        List<GpuFacts> gpus = FakeGpus.parse("2xA100-80GB, 1xT4").gpus();
        assertThat(gpus)
                .extracting(GpuFacts::getModel)
                .containsExactly("A100-80GB", "A100-80GB", "T4-16GB");
        assertThat(gpus).extracting(GpuFacts::getMemoryMb).containsExactly(81920L, 81920L, 16384L);
        assertThat(gpus).extracting(GpuFacts::getIndex).containsExactly(0, 1, 2);
        assertThat(new FakeGpus(gpus).read()).hasSize(3);
    }

    @Test
    void theHelpNamesEveryOption() {
        for (AgentOption agentOption : AgentOption.values()) {
            assertThat(AgentOption.help()).contains(agentOption.flag() + " ");
        }
    }
}
