package io.gpusched.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.LongStream;

final class VictimListTest {
    private static VictimList some(int count) {
        return VictimList.of(LongStream.rangeClosed(1, count).mapToObj(JobId::new).toList());
    }

    @Test
    void aWrittenListCanBeRead() {
        for (int count : new int[] {1, 2, 10, 11, 400}) {
            String text = "fit=120‰×30; room is made " + some(count).written();
            assertThat(VictimList.read(text)).isEqualTo(some(count));
            assertThat(VictimList.read(text).count()).isEqualTo(count);
        }
    }

    @Test
    void ofManyOnlyAFewAreNamed() {
        assertThat(some(12).written())
                .isEqualTo(
                        "by stopping job-1, job-2, job-3, job-4, job-5, job-6, job-7, job-8,"
                                + " job-9, job-10 and 2 more");
    }

    @Test
    void otherTextHasNoVictims() {
        for (String text : List.of("", "fit=120‰×30", "room is made by stopping others")) {
            assertThat(VictimList.read(text)).isEqualTo(VictimList.NONE);
            assertThat(VictimList.unnamed(text)).isEqualTo(text);
        }
        assertThat(VictimList.NONE.written()).isEmpty();
    }

    @Test
    void namesCanBeLeftOut() {
        assertThat(VictimList.unnamed("a=1‰; room is made " + some(12).written()))
                .isEqualTo("a=1‰; room is made by stopping 12 jobs");
        assertThat(VictimList.unnamed(some(1).written())).isEqualTo("by stopping 1 job");
    }
}
