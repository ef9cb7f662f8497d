"""There is no network in a worker; HTTP goes through `requests` and `httpx`, which ask the server."""

error = OSError
timeout = TimeoutError
has_ipv6 = False
AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 = 0, 1, 2, 10
SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_NONBLOCK, SOCK_CLOEXEC = 1, 2, 3, 5, 2048, 524288
SOL_SOCKET, SO_REUSEADDR, SO_KEEPALIVE, SO_BROADCAST, SO_ERROR, SO_TYPE = 1, 2, 9, 6, 4, 3
IPPROTO_TCP, IPPROTO_UDP, IPPROTO_IPV6, IPPROTO_IP = 6, 17, 41, 0
TCP_NODELAY, IPV6_V6ONLY, SOMAXCONN = 1, 26, 4096
AI_PASSIVE, AI_CANONNAME, AI_NUMERICHOST, AI_ADDRCONFIG = 1, 2, 4, 32
EAI_NONAME, EAI_FAMILY, EAI_AGAIN = -2, -6, -3
NI_NUMERICHOST, NI_NUMERICSERV = 1, 2
MSG_PEEK, MSG_DONTWAIT, MSG_OOB = 2, 64, 1
SHUT_RD, SHUT_WR, SHUT_RDWR = 0, 1, 2
INADDR_ANY, INADDR_LOOPBACK = 0, 2130706433
CAPI = None


class gaierror(OSError):
    pass


class herror(OSError):
    pass


def _refused(*_args, **_kwargs):
    raise PermissionError(1, "components have no network of their own; use requests or httpx")


class socket:
    __slots__ = ()
    family = type = proto = 0
    timeout = None

    def __init__(self, *_args, **_kwargs):
        _refused()


SocketType = socket
getaddrinfo = gethostbyname = gethostbyname_ex = gethostbyaddr = getnameinfo = socketpair = dup = close = _refused
getservbyname = getservbyport = getprotobyname = if_nameindex = if_nametoindex = if_indextoname = _refused
CMSG_LEN = CMSG_SPACE = _refused


def gethostname():
    return "worker"


def getdefaulttimeout():
    return None


def setdefaulttimeout(_seconds):
    pass


def htons(number):
    return ((number & 0xFF) << 8) | (number >> 8)


def htonl(number):
    return int.from_bytes(number.to_bytes(4, "little"), "big")


ntohs, ntohl = htons, htonl


def inet_aton(text):
    return bytes(int(part) for part in text.split("."))


def inet_ntoa(packed):
    return ".".join(str(part) for part in packed)


def inet_pton(_family, text):
    import ipaddress

    return ipaddress.ip_address(text).packed


def inet_ntop(_family, packed):
    import ipaddress

    return str(ipaddress.ip_address(packed))
