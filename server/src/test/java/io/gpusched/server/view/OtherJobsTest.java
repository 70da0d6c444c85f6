package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.TenantId;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OtherJobsTest {
    private static final TenantId MINE = new TenantId("mine");

    /// Jobs with even numbers are mine.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    run 1 is running | run 1 is running
                    made room for job-4 of priority 5 | made room for job-4 of priority 5
                    made room for job-3 of priority 5 | made room for another tenant's job of priority 5
                    job-3, job-4 and job-35 | another tenant's job, job-4 and another tenant's job
                    taken back for job-3 of x, which is below its guarantee | taken back for another tenant's job, which is below its guarantee
                    for job-3 of a, which is below its guarantee, which is below its guarantee | for another tenant's job, which is below its guarantee
                    job-99999999999999999999999999 | another tenant's job
                    job- and job-x | job- and job-x
                    it refused 3 jobs that then started elsewhere, the last one: no /home/x/run.sh | it refused 3 jobs that then started elsewhere
                    """)
    void jobsOfOthersAreNotNamed(String text, String shown) {
        assertThat(OtherJobs.hidden(text, MINE, job -> job.number() % 2 == 0 ? MINE : null))
                .isEqualTo(shown);
    }
}
