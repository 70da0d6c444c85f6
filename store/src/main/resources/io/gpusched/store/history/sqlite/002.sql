-- A chart of one tenant reads only the steps of that tenant.
CREATE INDEX IF NOT EXISTS tenant_history_by_tenant ON tenant_history (tenant_id, step, at);
