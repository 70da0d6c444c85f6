package io.gpusched.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;

final class HeapReportTest {
    @Test
    void theHeapOfG1IsOneLine() throws Exception {
        String report =
                """
                1234:
                garbage-first heap   total reserved 2097152K, committed 1048576K, used 921600K [0x0)
                 region size 1024K, 2 young (2048K), 0 survivors (0K)
                Metaspace       used 30000K, committed 31000K, reserved 1114112K
                 class space    used 3000K, committed 3100K, reserved 1048576K
                """;
        assertThat(HeapReport.usedMiB(report)).isEqualTo(900);
    }

    @Test
    void theGenerationsOfTheSerialCollectorAreAddedUp() throws Exception {
        String report =
                """
                1234:
                DefNew     total 9792K, used 1024K [0x0, 0x1, 0x2)
                 eden space 8704K,   0% used [0x0, 0x1, 0x2)
                 from space 1088K,   0% used [0x0, 0x1, 0x2)
                Tenured    total 21888K, used 2048K [0x0, 0x1, 0x2)
                  the space 21888K,   9% used [0x0, 0x1, 0x2)
                Metaspace       used 30000K, committed 31000K, reserved 1114112K
                """;
        assertThat(HeapReport.usedMiB(report)).isEqualTo(3);
    }

    @Test
    void aReportThatIsNotUnderstoodIsNotZero() {
        assertThatThrownBy(() -> HeapReport.usedMiB("ZHeap?")).isInstanceOf(IOException.class);
    }
}
