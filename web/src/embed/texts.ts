/** The chat's own words. It runs on other people's pages, without the application's texts. */
export interface Texts {
  title: string;
  placeholder: string;
  message: string;
  send: string;
  stop: string;
  open: string;
  close: string;
  fresh: string;
  conversation: string;
  you: string;
  answer: string;
  answering: string;
  empty: string;
  broken: string;
  retry: string;
  unreachable: string;
  rate: (seconds: number) => string;
  busy: string;
  notPublic: string;
  refused: string;
  tooLong: string;
  failed: string;
  noFlow: string;
}

const en: Texts = {
  title: "Chat",
  placeholder: "Write a message…",
  message: "Message",
  send: "Send",
  stop: "Stop",
  open: "Open chat",
  close: "Close chat",
  fresh: "New conversation",
  conversation: "Conversation",
  you: "You",
  answer: "Answer",
  answering: "Answering…",
  empty: "Ask something to begin.",
  broken: "The answer broke off here.",
  retry: "Try again",
  unreachable: "The server cannot be reached. Check the connection and try again.",
  rate: (seconds) => `Too many messages at once. Wait ${seconds} s and try again.`,
  busy: "Too many messages at once. Wait a moment and try again.",
  notPublic: "This chat is not available. Its owner has not made it public, or has taken it away.",
  refused: "This chat cannot be used by visitors. Please tell whoever runs this page.",
  tooLong: "The message is too long. Shorten it and try again.",
  failed: "Something went wrong on the server. Try again in a moment.",
  noFlow: "This chat is not set up: the flow-id attribute is missing.",
};

const pt: Texts = {
  title: "Chat",
  placeholder: "Escreva uma mensagem…",
  message: "Mensagem",
  send: "Enviar",
  stop: "Parar",
  open: "Abrir o chat",
  close: "Fechar o chat",
  fresh: "Nova conversa",
  conversation: "Conversa",
  you: "Você",
  answer: "Resposta",
  answering: "Respondendo…",
  empty: "Pergunte algo para começar.",
  broken: "A resposta foi interrompida aqui.",
  retry: "Tentar de novo",
  unreachable: "O servidor não responde. Verifique a conexão e tente de novo.",
  rate: (seconds) => `Mensagens demais de uma vez. Espere ${seconds} s e tente de novo.`,
  busy: "Mensagens demais de uma vez. Espere um momento e tente de novo.",
  notPublic: "Este chat não está disponível. O dono não o tornou público ou o removeu.",
  refused: "Visitantes não podem usar este chat. Avise quem mantém esta página.",
  tooLong: "A mensagem é longa demais. Encurte-a e tente de novo.",
  failed: "Algo deu errado no servidor. Tente de novo daqui a pouco.",
  noFlow: "Este chat não está configurado: falta o atributo flow-id.",
};

const ko: Texts = {
  title: "채팅",
  placeholder: "메시지를 입력하세요…",
  message: "메시지",
  send: "보내기",
  stop: "중지",
  open: "채팅 열기",
  close: "채팅 닫기",
  fresh: "새 대화",
  conversation: "대화",
  you: "나",
  answer: "답변",
  answering: "답변 중…",
  empty: "무엇이든 물어보세요.",
  broken: "답변이 여기서 끊겼습니다.",
  retry: "다시 시도",
  unreachable: "서버에 연결할 수 없습니다. 연결을 확인하고 다시 시도하세요.",
  rate: (seconds) => `메시지가 너무 많습니다. ${seconds}초 후에 다시 시도하세요.`,
  busy: "메시지가 너무 많습니다. 잠시 후 다시 시도하세요.",
  notPublic: "이 채팅을 사용할 수 없습니다. 소유자가 공개하지 않았거나 삭제했습니다.",
  refused: "방문자는 이 채팅을 사용할 수 없습니다. 이 페이지의 운영자에게 알려 주세요.",
  tooLong: "메시지가 너무 깁니다. 줄여서 다시 시도하세요.",
  failed: "서버에 문제가 생겼습니다. 잠시 후 다시 시도하세요.",
  noFlow: "채팅이 설정되지 않았습니다: flow-id 속성이 없습니다.",
};

const languages: Record<string, Texts> = { en, pt, ko };

export function textsFor(tag: string): Texts {
  return languages[tag.toLowerCase().split("-")[0] ?? ""] ?? en;
}
