package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GpuModelTest {
    @ParameterizedTest
    @CsvSource({
        "A100-80GB, A100, 81920",
        "A100 40Gi, A100, 40960",
        "NVIDIA A100-SXM4-80GB, A100, 81920",
        "Tesla V100-SXM2-32GB, V100, 32768",
        "NVIDIA H100 80GB HBM3, H100, 81920",
        "NVIDIA H100 NVL, H100, 0",
        "NVIDIA GeForce RTX 4090, RTX4090, 0",
        "L4, L4, 0",
        "nvidia l40s, L40S, 0",
        "-, UNKNOWN, 0",
    })
    void usualSpellingsOfAGpuParseToOneModel(String text, String family, int memoryMiB) {
        assertThat(GpuModel.parse(text)).isEqualTo(new GpuModel(family, memoryMiB));
    }

    @ParameterizedTest
    @CsvSource({
        "A100, A100-80GB, true",
        "A100-80GB, A100-40GB, false",
        "A100-80GB, A100-80GB, true",
        "A10, A100-80GB, false",
    })
    void aRequestWithoutMemoryAcceptsAnyOfTheFamily(String wanted, String has, boolean accepted) {
        assertThat(GpuModel.parse(wanted).accepts(GpuModel.parse(has))).isEqualTo(accepted);
    }
}
