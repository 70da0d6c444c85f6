package io.gpusched.wire.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;

import org.junit.jupiter.api.Test;

/// Matrices of our own making, shaped as the tool prints them.
final class TopologyTextTest {
    private static final String FOUR =
            """
            \tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
            GPU0\t X \tNV12\tPIX\tSYS\tPXB\t0-15,32-47\t0\t\tN/A
            GPU1\tNV12\t X \tPHB\tSYS\tSYS\t0-15,32-47\t0\t\tN/A
            GPU2\tPIX\tPHB\t X \tNODE\tSYS\t16-31,48-63\t1\t\tN/A
            GPU3\tSYS\tSYS\tNODE\t X \tSYS\t16-31,48-63\t1\t\tN/A
            NIC0\tPXB\tSYS\tSYS\tSYS\t X

            Legend:

              X    = Self
            """;

    @Test
    void linksAndSocketsAreRead() {
        Topology read = TopologyText.parse(FOUR);
        assertThat(read.size()).isEqualTo(4);
        assertThat(read.nvlinks(0, 1)).isEqualTo(12);
        assertThat(read.link(0, 2)).isEqualTo(Link.PIX);
        assertThat(read.link(2, 1)).isEqualTo(Link.PHB);
        assertThat(read.link(3, 2)).isEqualTo(Link.NODE);
        assertThat(read.sockets()).containsExactly(0, 0, 1, 1);
        assertThat(read.points(0, 1)).isEqualTo(1220);
        assertThat(read.points(0, 3)).isEqualTo(10);
    }

    @Test
    void missingRowsAreCompletedFromTheOthers() {
        String part =
                """
                        GPU0    GPU1    GPU2    mlx5_0  CPU Affinity
                GPU0     X      NV2     SYS     PHB     0-9
                GPU1    NV2      X      SYS     PHB     0-9
                """;
        Topology read = TopologyText.parse(part);
        assertThat(read.size()).isEqualTo(3);
        assertThat(read.link(2, 0)).isEqualTo(Link.SYS);
        assertThat(read.sockets()).containsExactly(0, 0, Topology.UNKNOWN_SOCKET);
    }

    @Test
    void anErrorNamesItsLine() {
        assertThatThrownBy(() -> TopologyText.parse(FOUR.replace("PIX", "PIQ")))
                .hasMessageContaining("line 2")
                .hasMessageContaining("PIQ")
                .hasMessageContaining("nvidia-smi topo -m");
        assertThatThrownBy(() -> TopologyText.parse("nothing here"))
                .hasMessageContaining("found no line with GPU rows");
        assertThatThrownBy(() -> TopologyText.parse("GPU0 GPU1\nGPU0 X NV1\nGPU1 NV2 X\n"))
                .hasMessageContaining("line 3");
        assertThatThrownBy(() -> TopologyText.parse("GPU0 GPU1\nGPU0 X\n"))
                .hasMessageContaining("2 links of GPU0");
    }
}
