package io.gpusched.server.http;

import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.tenants.TenantShare;

import java.math.BigDecimal;
import java.util.Locale;

/// Explains the fair-share status of a tenant in a sentence.
final class FairShareText {
    private FairShareText() {}

    static String of(TenantShare share) {
        double guaranteed = share.tenant().guaranteed().milliGpus() / 1000.0;
        String why =
                switch (share.status()) {
                    case BELOW_GUARANTEE ->
                            "holds "
                                    + gpus(share.usage().milliGpus() / 1000.0)
                                    + " of "
                                    + gpus(guaranteed)
                                    + " guaranteed GPUs: its jobs go first and may take back what"
                                    + " others borrow"
                                    + outside(share);
                    case BORROWING ->
                            "holds "
                                    + Plurals.milli(share.borrowedMilliGpus(), "GPU")
                                    + " more than the "
                                    + gpus(guaranteed)
                                    + " guaranteed: tenants below their guarantee may take them"
                                    + " back";
                    case OVER -> had(share) + ": tenants that had less for their weight go first";
                    case UNDER ->
                            had(share) + ": goes before tenants that had more for their weight";
                    case IDLE ->
                            "holds nothing and held nothing lately: goes first when it submits a"
                                    + " job";
                };
        return share.adjusted() == share.tenant().weight() ? why : why + "; " + share.reason();
    }

    /// The guarantee of a child tenant divides its parent's guarantee and does not add to it.
    private static String outside(TenantShare share) {
        TenantId parent = share.tenant().parent();
        return parent == null
                ? ""
                : ", outside " + parent + " only as far as the guarantee of " + parent + " reaches";
    }

    private static String had(TenantShare share) {
        return "had "
                + percent(share.share())
                + " (mean of now and lately) of the "
                + percent(share.effective())
                + " it is entitled to";
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    private static String gpus(double count) {
        return BigDecimal.valueOf(count).stripTrailingZeros().toPlainString();
    }
}
