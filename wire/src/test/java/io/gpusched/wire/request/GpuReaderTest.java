package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Proximity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

/// Submissions with MIG slices, GPU fractions and connected GPUs.
final class GpuReaderTest {
    private final JobRequest requests = new JobRequest();

    private Parsed<JobRequest.Submission, Problem> read(String json) {
        var jsonTree = new JsonReader(10_000).read(json.getBytes(StandardCharsets.UTF_8));
        return requests.read((JsonTree.Mapping) jsonTree, new JobRequest.Context(0, 8, false));
    }

    private GpuRequest asked(String json) {
        return ((Parsed.Valid<JobRequest.Submission, Problem>) read(json))
                .value()
                .spec()
                .roles()
                .getFirst()
                .shape()
                .gpus();
    }

    private Problem problem(String json) {
        return ((Parsed.Invalid<JobRequest.Submission, Problem>) read(json)).problems().getFirst();
    }

    @Test
    void connectionsAreRead() {
        assertThat(
                        asked(
                                """
                                {"gpu_count": 4, "gpu_locality": "NVLink",
                                 "gpu_min_bandwidth": "600Gi"}
                                """))
                .isEqualTo(new GpuRequest.Whole(4, 0, Locality.NVLINK, 600));
        assertThat(asked("{\"gpu_count\": 2, \"gpu_min_bandwidth\": 64}"))
                .isEqualTo(new GpuRequest.Whole(2, 0, Locality.ANY, 64));
    }

    @Test
    void slicesAndPartsAreRead() {
        assertThat(asked("{\"gpu_count\": 2, \"mig_profile\": \"1g.5gb\"}"))
                .isEqualTo(new GpuRequest.Slice("1g.5gb", 2));
        assertThat(asked("{\"gpu_percent\": 40, \"gpu_memory_mb\": 8000}"))
                .isEqualTo(new GpuRequest.Share(400, 8000, 1));
        assertThat(asked("{\"gpu_milli\": 125}")).isEqualTo(new GpuRequest.Share(125, 0, 1));
    }

    @Test
    void aGangOnOneNodeHasAProximity() {
        var valid =
                (Parsed.Valid<JobRequest.Submission, Problem>)
                        read(
                                """
                                {"gpu_count": 4, "tasks": 4, "gang_scheduling": true,
                                 "gpu_locality": "same-node"}
                                """);
        assertThat(valid.value().spec().near())
                .containsExactly(new Proximity(Proximity.NODE, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'gpu_locality': 'nvlnk'} | gpu_locality | did you mean nvlink?",
                "{'mig_profile': '1g.4gb'} | mig_profile | did you mean 1g.5gb?",
                "{'mig_profile': '1g.5gb', 'gpu_model': 'H100-80GB'} | mig_profile | use 1g.10gb",
                "{'gpu_percent': 100} | gpu_percent | use 99, or leave gpu_percent out for whole"
                        + " GPUs",
                "{'gpu_percent': 0} | gpu_percent | use at least 1, or leave gpu_percent out for"
                        + " whole GPUs",
                "{'gpu_percent': 9, 'mig_profile': '1g.5gb'} | mig_profile | leave mig_profile or"
                        + " gpu_percent out",
                "{'gpu_count': 2, 'gpu_min_bandwidth': '9Ti'} | gpu_min_bandwidth | ask for at most"
                        + " 1800Gi",
                "{'gpu_count': 2, 'gpu_min_bandwidth': '601Gi', 'gpu_model': 'A100'} |"
                        + " gpu_min_bandwidth | ask for at most 600Gi",
                "{'gpu_count': 16, 'gpu_locality': 'nvlink'} | gpu_locality | 'ask for at most 8,"
                        + " or for any'",
            })
    void whatCannotBeIsRefusedWithTheNearestThatCan(String json, String field, String hint) {
        Problem problem = problem(json.replace('\'', '"'));
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.hint()).isEqualTo(hint);
    }
}
