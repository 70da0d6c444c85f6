package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// The commands `hpa` and `replica`: they find the traces beside the data, and what they write has
/// the shape of the expected files.
final class PoolCommandsTest {
    private static final String RATES =
            """
            case,min,max,current,wanted,up_policies,down_policies,added_age,removed_age,replicas,reason
            grows,1,9,2,8,Pods:4/15s;Percent:100/15s,Percent:100/15s,1@10s,,5,ScaleUpLimit
            """;

    private static final String WINDOWS =
            """
            case,earlier_recommendation_age,current,wanted,up_window_s,down_window_s,stabilized
            "shrinks, later",4@120s;5@60s,100,3,0,180,5
            """
                    .replace("\n", "\r\n");

    private static final String ANSWERS =
            """
            request,arrival_s,prompt,output,first_token_s,last_token_s
            0,0.0000000,425,154,0.0,0.0
            1,9.0000000,379,63,0.0,0.0
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Path data;

    @BeforeEach
    void files() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("expected_hpa_rates_own.csv"), RATES);
        Files.writeString(data.resolve("expected_hpa_stabilization_own.csv"), WINDOWS);
        Files.writeString(data.resolve("expected_replica_own.csv"), ANSWERS);
    }

    private void traces(Path directory) throws IOException {
        Files.copy(
                Path.of("..", "samples", "llm-requests.csv"),
                directory.resolve("AzureLLMInferenceTrace_conv.csv"));
    }

    @Test
    void everyTableIsWrittenUnderItsNameIntoADirectory() throws IOException {
        Path to = Files.createDirectory(folder.resolve("out"));
        Ran ran = Ran.lab("hpa", "--data", data.toString(), "--out", to.toString());
        assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
        assertThat(to.resolve("expected_hpa_rates_own.csv")).hasContent(RATES);
        assertThat(Files.readString(to.resolve("expected_hpa_stabilization_own.csv")))
                .isEqualTo(WINDOWS);
    }

    @Test
    void aFileHasOneTableAfterTheOther() throws IOException {
        Path to = folder.resolve("out.csv");
        Ran.lab("hpa", "--data", data.toString(), "--out", to.toString());
        assertThat(Files.readString(to)).isEqualTo(RATES + WINDOWS);
    }

    @Test
    void theTracesBesideTheDataAreFound() throws IOException {
        traces(Files.createDirectory(folder.resolve("azure-llm-2023")));
        assertRepeats();
    }

    @Test
    void theTracesMayBeInTheDirectoryOfTheData() throws IOException {
        Files.createDirectory(folder.resolve("azure-llm-2023"));
        traces(data);
        assertRepeats();
    }

    /// What the command writes is an expected file that the command meets.
    private void assertRepeats() throws IOException {
        Path to = folder.resolve("answers.csv");
        Ran ran = Ran.lab("replica", "--data", data.toString(), "--out", to.toString());
        assertThat(ran.out()).contains("equal 0 of 2");
        Files.copy(
                to, data.resolve("expected_replica_own.csv"), StandardCopyOption.REPLACE_EXISTING);
        Ran again = Ran.lab("replica", "--data", data.toString());
        assertThat(again.out()).contains("equal 2 of 2");
        assertThat(again.code()).isZero();
    }

    @Test
    void withoutTracesTheMissingFileIsNamed() {
        Ran ran = Ran.lab("replica", "--data", data.toString());
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err())
                .contains("AzureLLMInferenceTrace_conv")
                .contains("name the directory");
    }
}
