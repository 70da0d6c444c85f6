/** What the list of pools says when there is none: how to make the first one. */
import {html} from "lit";
import {cli, curl} from "../../lib/commands.js";
import {toast} from "../../parts/toast.js";
import "../../parts/command-menu.js";

const POOL = {
  name: "chat",
  model: "llama-3-8b",
  replica: {image: "vllm/vllm-openai", args: ["--model", "meta-llama/Meta-Llama-3-8B"], gpu_count: 1},
  min_replicas: 1,
  max_replicas: 4,
  slo: {ttft_ms: 1000, itl_ms: 75, percent: 99},
  serving: {port: 8000},
};

const FILE = `kind: Pool
name: chat
model: llama-3-8b
replica:
  image: vllm/vllm-openai
  args: [--model, meta-llama/Meta-Llama-3-8B]
  gpu_count: 1
min_replicas: 1
max_replicas: 4
slo: {ttft_ms: 1000, itl_ms: 75, percent: 99}
serving: {port: 8000}
`;

export function firstPool() {
  return html`<section class="card pl-first"><h2>There is no pool yet</h2>
    <p>A pool serves one model from replicas. The scheduler starts and stops replicas so that requests are answered within the SLO,
      and places each of them as a job: quota, fair share and preemption apply.</p>
    <p>Save this as <code>pool.yaml</code>, then run <code>gpu-cli apply -f pool.yaml</code>:</p>
    <pre class="pl-file" tabindex="0" aria-label="pool.yaml">${FILE}</pre>
    <div class="filters"><button class="button primary" @click=${copy}>Copy pool.yaml</button>
      <gs-commands label="Make this pool by command" .cli=${cli("apply", "-f", "pool.yaml")} .curl=${curl("PUT", "pools/chat", POOL)}></gs-commands></div>
  </section>`;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(FILE);
    toast("Copied.");
  } catch {
    toast("The browser does not allow copying here. Select the text instead.", "warn");
  }
}
