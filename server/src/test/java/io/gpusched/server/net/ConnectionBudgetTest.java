package io.gpusched.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// All ports together stay below the limit of the process.
final class ConnectionBudgetTest {
    @Test
    void theStoreKeepsItsReserve() {
        for (long limit : new long[] {400, 1024, 20_000, 1 << 20, Long.MAX_VALUE}) {
            ConnectionBudget budget = ConnectionBudget.of(limit, 150);
            long all = (long) budget.rest() + budget.grpc() + budget.metrics();
            assertThat(all).isLessThanOrEqualTo(limit - 150 - ConnectionBudget.RESERVED);
            assertThat(budget.rest()).isPositive().isLessThanOrEqualTo(ConnectionBudget.MOST);
            assertThat(budget.grpc()).isEqualTo(budget.rest());
            assertThat(budget.metrics()).isPositive();
        }
    }

    @Test
    void aLimitThatLeavesTooFewIsRefusedWithTheLimitToSet() {
        assertThatThrownBy(() -> ConnectionBudget.of(256, 150))
                .hasMessageContaining("may open 256 files")
                .hasMessageContaining("raise the limit to 310");
    }

    @Test
    void thisProcessMayHaveConnections() {
        assertThat(ConnectionBudget.ofThisProcess().rest()).isPositive();
    }
}
