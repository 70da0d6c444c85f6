package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;

import org.junit.jupiter.api.Test;

import java.util.List;

final class GpuLinksTest {
    /// Two pairs: 0 and 2 are linked, 1 is not, and 3 and 4 are linked.
    private static final Topology PAIRS =
            Topology.of(
                    List.of(0, 0, 0, 1, 1),
                    List.of(
                            List.of(0, 0, 4, 0, 0),
                            List.of(0, 0, 0, 0, 0),
                            List.of(4, 0, 0, 0, 0),
                            List.of(0, 0, 0, 0, 2),
                            List.of(0, 0, 0, 2, 0)),
                    List.of());

    @Test
    void gpusThatNvlinksJoinAreAnIsland() {
        assertThat(written(PAIRS, 0)).isEqualTo("{\"numa\":0,\"nvlink\":0}");
        assertThat(written(PAIRS, 1)).isEqualTo("{\"numa\":0,\"nvlink\":null}");
        assertThat(written(PAIRS, 2)).isEqualTo("{\"numa\":0,\"nvlink\":0}");
        assertThat(written(PAIRS, 4)).isEqualTo("{\"numa\":1,\"nvlink\":1}");
    }

    @Test
    void anUnknownTopologyHasNeitherSocketsNorIslandsNorConnections() {
        assertThat(written(Topology.FLAT, 3)).isEqualTo("{\"numa\":null,\"nvlink\":null}");
        var out = new JsonOutput().object();
        new GpuLinks(Topology.FLAT).writeConnections(0, out);
        assertThat(out.endObject().toString()).isEqualTo("{}");
    }

    @Test
    void connectionsAreListedInTheOrderOfTheGpus() {
        var links = List.of(List.of(Link.UNKNOWN, Link.PIX), List.of(Link.PIX, Link.UNKNOWN));
        var topology = Topology.of(List.of(), List.of(List.of(0, 6), List.of(6, 0)), links);
        var out = new JsonOutput().object();
        new GpuLinks(topology).writeConnections(0, out);
        assertThat(out.endObject().toString())
                .isEqualTo("{\"nvlinks\":[0,6],\"paths\":[\"\",\"pix\"]}");
    }

    private static String written(Topology topology, int gpu) {
        var out = new JsonOutput().object();
        new GpuLinks(topology).write(gpu, out);
        return out.endObject().toString();
    }
}
