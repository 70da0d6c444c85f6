package io.gpusched.core.policy.pack;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;

final class ExpectedWasteChoiceTest {
    private static JobBuilder share(int milli) {
        return aJob().asking(GpuRequest.shares(milli, 0, 1));
    }

    private static ShareChoiceFitter fitter() {
        var counts = new LinkedHashMap<Need, Long>();
        counts.put(new Need(1000, 1, 500, List.of()), 1L);
        var scorer = new ExpectedWaste(TypicalWorkload.of(counts, 1));
        return new ShareChoiceFitter(new ExpectedWasteChoice(scorer), true);
    }

    @Test
    void theGpuOnWhichNoRestRemainsIsChosen() {
        assertThat(fitter())
                .on(share(600), aNode("3×A100").running(share(400), "1"))
                .chooses("1@60%");
    }

    @Test
    void theFullestGpuIsNotAlwaysTheBest() {
        // 100 on the first leave 500, which a typical task fills; on the second they leave 300.
        assertThat(fitter())
                .on(share(100), aNode("2×A100").running(share(400), "0").running(share(600), "1"))
                .chooses("0@10%");
    }

    @Test
    void amongEqualsTheFirstIsChosen() {
        assertThat(fitter()).on(share(500), aNode("3×A100").busy(0)).chooses("1@50%");
    }
}
