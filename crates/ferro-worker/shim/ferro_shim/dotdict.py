"""A dict whose keys are attributes too, at every level."""


class dotdict(dict):  # noqa: N801 - the name components import
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for key, value in self.items():
            if type(value) is dict or type(value) is list:
                dict.__setitem__(self, key, _wrap(value))

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no key `{name}` here; the keys are: {', '.join(map(str, self))}") from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setitem__(self, key, value):
        dict.__setitem__(self, key, _wrap(value))

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __deepcopy__(self, memo):
        import copy

        return dotdict({k: copy.deepcopy(v, memo) for k, v in self.items()})

    def copy(self):
        return dotdict(self)


def _wrap(value):
    if type(value) is dict:
        return dotdict(value)
    if type(value) is list:
        return [_wrap(v) for v in value]
    return value
