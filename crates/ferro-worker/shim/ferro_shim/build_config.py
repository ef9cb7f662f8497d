"""Helpers that components use on a build config."""


def set_field_display(build_config, field, value=None):
    if field in build_config and isinstance(build_config[field], dict) and "show" in build_config[field]:
        build_config[field]["show"] = value
    return build_config


def set_multiple_field_display(build_config, fields=None, value=None, field_list=None):
    for name in fields or {}:
        set_field_display(build_config, name, fields[name])
    for name in field_list or []:
        set_field_display(build_config, name, value)
    return build_config


def set_field_advanced(build_config, field, value=None):
    if field in build_config and isinstance(build_config[field], dict):
        build_config[field]["advanced"] = bool(value)
    return build_config


def set_multiple_field_advanced(build_config, fields=None, value=None, field_list=None):
    for name in fields or {}:
        set_field_advanced(build_config, name, fields[name])
    for name in field_list or []:
        set_field_advanced(build_config, name, value)
    return build_config


def add_fields(build_config, fields):
    build_config.update(fields)
    return build_config


def delete_fields(build_config, fields):
    for name in list(fields):
        build_config.pop(name, None)
    return build_config


def get_fields(build_config, fields=None):
    return dict(build_config) if fields is None else {n: build_config[n] for n in fields if n in build_config}


def update_fields(build_config, fields):
    for name, value in fields.items():
        if name in build_config:
            build_config[name] = value
    return build_config


def update_input_types(build_config):
    for entry in build_config.values():
        if isinstance(entry, dict) and entry.get("input_types", 0) is None:
            entry["input_types"] = []
    return build_config


def set_current_fields(build_config, action_fields, selected_action=None, default_fields=(), func=None, default_value=None):
    """Shows the fields of the selected action and hides those of the others."""
    func = func or set_field_display
    shown = set(action_fields.get(selected_action) or ()) if selected_action in action_fields else set()
    if selected_action in action_fields:
        for names in action_fields.values():
            for name in names:
                func(build_config, name, (name in shown) != bool(default_value))
    for name in default_fields:
        func(build_config, name, not default_value)
    return build_config
