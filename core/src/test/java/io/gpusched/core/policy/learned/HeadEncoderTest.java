package io.gpusched.core.policy.learned;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class HeadEncoderTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int RUNTIME = 0;
    private static final int FITS = 14;
    private static final int LEFT = 15;
    private static final int UNTIL_END = 17;
    private static final int UNTIL_FITS = 18;
    private static final int ENDS_BEFORE_OLDEST = 19;
    private static final int OF_QUEUE = 20;

    private final TestCluster cluster = aCluster("n1: 8×A100, n2: 4×L4");
    private final List<Job> heads = new ArrayList<>();

    private HeadEncoderTest head(JobBuilder job) {
        heads.add(cluster.job(cluster.waiting(job)));
        return this;
    }

    private float[][] rows() {
        var flat = new float[heads.size() * HeadEncoder.FEATURES];
        new HeadEncoder().encode(cluster.state(), heads, cluster.now(), flat);
        var rows = new float[heads.size()][];
        for (int i = 0; i < rows.length; i++) {
            int at = i * HeadEncoder.FEATURES;
            rows[i] = Arrays.copyOfRange(flat, at, at + HeadEncoder.FEATURES);
        }
        return rows;
    }

    private static float[] column(float[][] rows, int feature) {
        var column = new float[rows.length];
        for (int i = 0; i < rows.length; i++) {
            column[i] = rows[i][feature];
        }
        return column;
    }

    @Test
    void everyFeatureIsFiniteAndSmall() {
        cluster.running(aJob().gpus(4).limit(HOUR), "n1[0-3]");
        head(aJob().gpus(8).tasks(3).limit(Duration.ofDays(300)).priority(1000));
        head(aJob().gpus(0).cores(1).limit(Duration.ZERO));
        cluster.pass(Duration.ofDays(400));
        for (float[] row : rows()) {
            for (float value : row) {
                assertThat(value).isBetween(0f, 1.5f);
            }
        }
    }

    @Test
    void aJobFitsWhereEnoughSuitableGpusAreIdleOnOneNode() {
        cluster.running(aJob().gpus(4).limit(HOUR), "n1[0-3]");
        head(aJob().gpus(4)).head(aJob().gpus(5)).head(aJob().gpus(4).model("A100"));
        head(aJob().gpus(4).tasks(2)).head(aJob().gpus(4).tasks(2).model("A100"));
        float[][] rows = rows();
        assertThat(column(rows, FITS)).containsExactly(1f, 0f, 1f, 1f, 0f);
        assertThat(rows[0][LEFT]).isEqualTo(4f / 12);
    }

    @Test
    void aJobThatDoesNotFitKnowsWhenItIsExpectedTo() {
        cluster.running(aJob().gpus(8).limit(HOUR), "n1[0-7]");
        head(aJob().gpus(8).limit(HOUR));
        head(aJob().gpus(1).limit(HOUR.dividedBy(2))).head(aJob().gpus(1).limit(HOUR));
        float[][] rows = rows();
        assertThat(rows[0][UNTIL_FITS]).isCloseTo(rows[0][RUNTIME], within(1e-6f));
        assertThat(rows[0][UNTIL_END])
                .as("an hour to wait and an hour to run")
                .isCloseTo(
                        (float) (StrictMath.log1p(7200) / StrictMath.log1p(30 * 86_400)),
                        within(1e-6f));
        assertThat(rows[2][UNTIL_END]).isEqualTo(rows[2][RUNTIME]);
        assertThat(column(rows, ENDS_BEFORE_OLDEST)).containsExactly(0f, 1f, 0f);
    }

    @Test
    void allRowsShareWhatIsTrueOfTheQueue() {
        head(aJob().gpus(1)).head(aJob().gpus(8).limit(HOUR));
        float[][] rows = rows();
        assertThat(Arrays.copyOfRange(rows[1], OF_QUEUE, HeadEncoder.FEATURES))
                .containsExactly(Arrays.copyOfRange(rows[0], OF_QUEUE, HeadEncoder.FEATURES));
        assertThat(rows[0][23]).isCloseTo((rows[0][RUNTIME] + rows[1][RUNTIME]) / 2, within(1e-6f));
    }

    @Test
    void theLogarithmIsExactEnough() {
        for (double x = 1e-6; x < 1e9; x *= 1.37) {
            assertThat(LogTable.log1p(x)).isCloseTo(StrictMath.log1p(x), within(1e-7));
        }
    }
}
