package io.gpusched.server.alert;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.DeadlineRisk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Jobs that will miss their deadline, or will unless they start on demand at once. There is one
/// alert for each tenant, about the job with the least slack.
final class DeadlineAtRisk implements AlertCondition {
    @Override
    public AlertName name() {
        return AlertName.DEADLINE_AT_RISK;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        SequencedMap<TenantId, List<DeadlineRisk>> byTenant = new TreeMap<>();
        for (DeadlineRisk risk : DeadlineRisk.all(picture.view(), picture.at())) {
            byTenant.computeIfAbsent(risk.job().tenant(), tenant -> new ArrayList<>()).add(risk);
        }
        return byTenant.values().stream().map(DeadlineAtRisk::finding).toList();
    }

    private static Finding finding(List<DeadlineRisk> risks) {
        DeadlineRisk worst = risks.getFirst();
        for (DeadlineRisk risk : risks) {
            worst = risk.slackMillis() < worst.slackMillis() ? risk : worst;
        }
        String job = worst.job().id().toString();
        return new Finding(
                AlertSubject.of(worst.job().tenant(), worst.job().id()),
                Finding.Level.EXCEEDED,
                Severity.WARNING,
                worst.slackMillis() / 1e3,
                0,
                String.format(
                        Locale.ROOT,
                        "%s of tenant %s may miss a deadline; %s has %s",
                        risks.size() == 1 ? "1 job" : risks.size() + " jobs",
                        worst.job().tenant(),
                        job,
                        worst.words()),
                "see what it waits for, and free capacity on demand: gpu-cli explain " + job);
    }
}
