package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JobIdTest {
    @Test
    void aPrintedIdCanBeParsed() {
        assertThat(JobId.parse(new JobId(17).toString())).isEqualTo(new JobId(17));
        assertThat(JobId.parse("job-" + Long.MAX_VALUE)).isEqualTo(new JobId(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "job-",
                "17",
                "job-0",
                "job--1",
                "job-1x",
                "Job-1",
                "job-9223372036854775808",
                "job-99999999999999999999999"
            })
    void otherTextIsNoJobId(String text) {
        assertThat(JobId.parse(text)).isNull();
    }
}
