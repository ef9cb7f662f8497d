/** Names that are no lucide icon: brands and Langflow's own drawings, and what stands in for them. */
const STAND_INS: Record<string, string> = {
  Prompts: "Braces",
  ArXiv: "BookOpen",
  Amazon: "Cloud",
  AWS: "Cloud",
  Google: "Globe",
  GoogleGenerativeAI: "Sparkles",
  GoogleDrive: "HardDrive",
  OpenAI: "Sparkles",
  Anthropic: "Sparkles",
  Ollama: "Sparkles",
  Mistral: "Sparkles",
  Mcp: "Plug",
  MCP: "Plug",
  Python: "SquareCode",
  Langflow: "Workflow",
  Tool: "Wrench",
  ToolCase: "Wrench",
  Home: "House",
  BarChart: "ChartColumn",
  PieChart: "ChartPie",
  LineChart: "ChartLine",
};

/** lucide's component name for `MessagesSquare`, `brain-circuit`, `file_text`, … */
export function iconName(name: string): string {
  const joined = name
    .trim()
    .split(/[\s_-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
  return Object.hasOwn(STAND_INS, joined) ? (STAND_INS[joined] ?? joined) : joined;
}
