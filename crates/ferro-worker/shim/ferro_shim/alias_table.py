"""Which path offers which names: `path → ((module of ferro_shim, "names shown[=real name]"), …)`."""

_INPUTS = (
    "StrInput MessageInput MessageTextInput MultilineInput MultilineSecretInput SecretStrInput IntInput FloatInput "
    "BoolInput DropdownInput MultiselectInput TabInput DictInput NestedDictInput TableInput HandleInput DataInput "
    "JSONInput DataFrameInput ModelInput FileInput PromptInput MustachePromptInput CodeInput LinkInput SliderInput "
    "QueryInput SortableListInput ConnectionInput AuthInput McpInput ToolsInput ActionPickerInput DurationInput "
    "DataDisplayInput DBProviderInput DefaultPromptField Input"
)
_ALL_INPUTS = (("inputs", _INPUTS), ("inputs_base", "BaseInput BaseInputMixin=BaseInput InputTypes=BaseInput"))
_OUTPUT = ("output", "Output OutputOptions UNDEFINED")
_COMPONENT = ("component", "Component")
_CUSTOM = ("custom", "CustomComponent")
_DATA = ("data", "Data JSON")
_MESSAGE = ("message", "Message ErrorMessage MessageResponse DefaultModel")
_FRAME = ("frame", "DataFrame Table=DataFrame")
_TOOLS = ("tools", "Tool StructuredTool BaseTool ToolException tool")
_TYPES = (
    "typing_names",
    "LanguageModel Embeddings BaseChatModel BaseLanguageModel BaseLLM VectorStore Retriever BaseRetriever Text NestedDict "
    "Code Object File Prompt Chain AgentExecutor Agent TextSplitter BaseMemory BaseChatMemory BaseLoader BaseOutputParser "
    "BasePromptTemplate ChatPromptTemplate PromptTemplate BaseDocumentCompressor InputData RunnableType Callback "
    "CUSTOM_COMPONENT_SUPPORTED_TYPES LANGCHAIN_BASE_TYPES",
)
_HELPERS = (
    "helpers",
    "data_to_text data_to_text_list docs_to_data messages_to_text clean_string safe_convert format_type dict_values_to_string",
)
_LOG = ("log", "logger configure Logger")
_BASES = (
    "bases",
    "LCModelComponent LCToolComponent LCTextSplitterComponent LCDocumentTransformerComponent LCVectorStoreComponent "
    "LCEmbeddingsModel LCChatMemoryComponent LCAgentComponent LCToolsAgentComponent LCChainComponent LCCompressorComponent "
    "ComponentWithCache ChatComponent TextComponent BaseFileComponent",
)
_LC_TEXTS = ("langchain", "HumanMessage AIMessage AIMessageChunk SystemMessage ToolMessage ChatMessage BaseMessage")
_DOCS = ("langchain", "Document")
_RANGE = ("small", "RangeSpec")
_CONSTANTS = (
    "small",
    "MESSAGE_SENDER_AI MESSAGE_SENDER_USER MESSAGE_SENDER_NAME_AI MESSAGE_SENDER_NAME_USER DEFAULT_PROMPT_INTUT_TYPES "
    "STREAM_INFO_TEXT NODE_FORMAT_ATTRIBUTES FIELD_FORMAT_ATTRIBUTES TABLE_SCHEMA",
)

TABLE = {
    "lfx.custom": (_COMPONENT, _CUSTOM),
    "lfx.custom.custom_component": (),
    "lfx.custom.custom_component.component": (_COMPONENT, _OUTPUT, ("small", "PlaceholderGraph=SimpleNamespace"), ("server_side", "get_component_toolkit")),
    "lfx.custom.custom_component.custom_component": (_CUSTOM,),
    "lfx.custom.custom_component.component_with_cache": (("bases", "ComponentWithCache"),),
    "lfx.custom.custom_component.base_component": (("component", "BaseComponent=Component"),),
    "lfx.custom.utils": (_HELPERS,),
    "lfx.interface.custom": (),
    "lfx.interface.custom.custom_component": (_CUSTOM, _COMPONENT),
    "lfx.io": (*_ALL_INPUTS, _OUTPUT),
    "lfx.io.schema": (("schemas", "create_input_schema flatten_schema"),),
    "lfx.inputs": _ALL_INPUTS,
    "lfx.inputs.inputs": _ALL_INPUTS,
    "lfx.inputs.input_mixin": (_RANGE, ("inputs_base", "BaseInputMixin=BaseInput"), ("small", "FieldTypes SerializableFieldTypes=FieldTypes")),
    "lfx.inputs.constants": (("small", "MAX_TAB_OPTIONS MAX_TAB_OPTION_LENGTH"),),
    "lfx.template": (_OUTPUT, ("inputs", "Input")),
    "lfx.template.field": (),
    "lfx.template.field.base": (_OUTPUT, ("inputs", "Input")),
    "lfx.template.field.prompt": (("inputs", "DefaultPromptField"),),
    "lfx.template.utils": (("helpers", "update_template_values"),),
    "lfx.schema": (_DATA, _MESSAGE, _FRAME, ("dotdict", "dotdict")),
    "lfx.schema.data": (_DATA, ("data", "custom_serializer=plain")),
    "lfx.schema.record": (("data", "Record=Data"),),
    "lfx.schema.message": (_MESSAGE, ("small", "ContentBlock Properties")),
    "lfx.schema.dataframe": (_FRAME,),
    "lfx.schema.dotdict": (("dotdict", "dotdict"),),
    "lfx.schema.table": (("small", "Column FormatterType EditMode TableSchema FieldValidator"), _FRAME),
    "lfx.schema.schema": (_DATA, ("small", "InputValueRequest")),
    "lfx.schema.log": (("small", "LoggableType LogFunctionType"), ("server_side", "OnTokenFunctionType SendMessageFunctionType")),
    "lfx.schema.image": (("small", "Image"), ("server_side", "get_file_paths")),
    "lfx.schema.properties": (("small", "Properties Source"),),
    "lfx.schema.content_block": (("small", "ContentBlock"),),
    "lfx.schema.content_types": (("small", "TextContent ToolContent ErrorContent JSONContent CodeContent MediaContent"),),
    "lfx.schema.token_usage": (("small", "Usage"), ("server_side", "extract_usage_from_message accumulate_usage")),
    "lfx.schema.artifact": (("helpers", "get_artifact_type post_process_raw"),),
    "lfx.schema.encoders": (("helpers", "CUSTOM_ENCODERS"),),
    "lfx.schema.validators": (("helpers", "timestamp_to_str"),),
    "lfx.serialization": (("wire", "serialize=to_wire"),),
    "lfx.serialization.serialization": (("wire", "serialize=to_wire"),),
    "lfx.field_typing": (_DATA, _MESSAGE, _FRAME, _TOOLS, _TYPES, _DOCS, _RANGE, ("langchain", "BaseMessage")),
    "lfx.field_typing.range_spec": (_RANGE,),
    "lfx.field_typing.constants": (_TYPES, _TOOLS, _DATA, _DOCS),
    "lfx.field_typing.conditional_options": (("small", "ConditionalOptions"), ("server_side", "resolve_conditional_options")),
    "lfx.type_extraction": (("helpers", "extract_inner_type extract_union_types post_process_type"),),
    "lfx.type_extraction.type_extraction": (("helpers", "extract_inner_type extract_union_types post_process_type"),),
    "lfx.logging": (_LOG,),
    "lfx.logging.logger": (_LOG,),
    "lfx.log": (_LOG,),
    "lfx.log.logger": (_LOG,),
    "lfx.helpers": (_HELPERS,),
    "lfx.helpers.data": (_HELPERS,),
    "lfx.helpers.record": (_HELPERS,),
    "lfx.helpers.base_model": (("schemas", "build_model_from_schema"), ("model", "BaseModel"), ("server_side", "coalesce_bool")),
    "lfx.helpers.custom": (("helpers", "format_type"),),
    "lfx.utils": (),
    "lfx.utils.constants": (_CONSTANTS,),
    "lfx.utils.util": (("helpers", "build_loader_repr_from_data unescape_string escape_json_dump transform_localhost_url remove_ansi_escape_codes"),),
    "lfx.utils.async_helpers": (("helpers", "run_until_complete timeout_context"),),
    "lfx.utils.component_utils": (
        (
            "build_config",
            "set_current_fields set_multiple_field_advanced set_multiple_field_display set_field_display set_field_advanced "
            "add_fields delete_fields get_fields update_fields update_input_types",
        ),
    ),
    "lfx.utils.version": (("helpers", "get_version_info"),),
    "lfx.utils.data_structure": (("helpers", "get_data_structure"),),
    "lfx.utils.validate_cloud": (("helpers", "raise_error_if_astra_cloud_disable_component is_astra_cloud_environment"),),
    "lfx.utils.request_utils": (("helpers", "get_user_agent"),),
    "lfx.utils.ssrf_protection": (("helpers", "validate_url_for_ssrf is_ssrf_protection_enabled"), ("server_side", "validate_and_resolve_url is_host_allowed"), ("errors", "SSRFProtectionError=HostError")),
    "lfx.memory": (("helpers", "astore_message store_message aget_messages get_messages"), ("server_side", "delete_message")),
    "lfx.exceptions": (),
    "lfx.exceptions.component": (("small", "ComponentBuildError StreamingError"),),
    "lfx.graph": (),
    "lfx.graph.schema": (("small", "RunOutputs=SimpleNamespace ResultData=SimpleNamespace"),),
    "lfx.services": (),
    "lfx.services.deps": (("services", "get_settings_service get_storage_service get_variable_service session_scope get_session get_tracing_service get_db_service get_cache_service get_shared_component_cache_service"),),
    "lfx.base": (),
    "lfx.base.constants": (_CONSTANTS,),
    "lfx.base.io": (),
    "lfx.base.io.text": (("bases", "TextComponent"),),
    "lfx.base.io.chat": (("bases", "ChatComponent"),),
    "lfx.base.models": (("bases", "LCModelComponent"),),
    "lfx.base.models.model": (("bases", "LCModelComponent"),),
    "lfx.base.models.model_utils": (("helpers", "get_model_name"),),
    "lfx.base.embeddings": (),
    "lfx.base.embeddings.model": (("bases", "LCEmbeddingsModel"),),
    "lfx.base.langchain_utilities": (),
    "lfx.base.langchain_utilities.model": (("bases", "LCToolComponent"),),
    "lfx.base.textsplitters": (),
    "lfx.base.textsplitters.model": (("bases", "LCTextSplitterComponent"),),
    "lfx.base.document_transformers": (),
    "lfx.base.document_transformers.model": (("bases", "LCDocumentTransformerComponent"),),
    "lfx.base.vectorstores": (),
    "lfx.base.vectorstores.model": (("bases", "LCVectorStoreComponent check_cached_vector_store"),),
    "lfx.base.memory": (),
    "lfx.base.memory.model": (("bases", "LCChatMemoryComponent"),),
    "lfx.base.memory.memory": (("bases", "BaseMemoryComponent=LCChatMemoryComponent"),),
    "lfx.base.chains": (),
    "lfx.base.chains.model": (("bases", "LCChainComponent"),),
    "lfx.base.compressors": (),
    "lfx.base.compressors.model": (("bases", "LCCompressorComponent"),),
    "lfx.base.agents": (),
    "lfx.base.agents.agent": (("bases", "LCAgentComponent LCToolsAgentComponent"),),
    "lfx.base.data": (("bases", "BaseFileComponent"),),
    "lfx.base.data.base_file": (("bases", "BaseFileComponent"),),
    "lfx.base.data.storage_utils": (("services", "read_file_bytes read_file_text file_exists get_file_size parse_storage_path"),),
    "lfx.base.data.utils": (("services", "TEXT_FILE_TYPES parse_text_file_to_data read_text_file"),
                            ("server_side", "IMG_FILE_TYPES parallel_load_data aparallel_load_data aparse_text_file_to_data retrieve_file_paths")),
    "lfx.base.tools": (),
    "lfx.base.tools.base": (("helpers", "build_status_from_tool"),),
    "lfx.base.tools.component_tool": (("toolkit", "component_tools"),),
    "lfx.base.tools.constants": (("small", "TOOL_OUTPUT_NAME TOOL_OUTPUT_DISPLAY_NAME TOOLS_METADATA_INPUT_NAME"),),
    "lfx.base.prompts": (),
    "lfx.base.prompts.api_utils": (("helpers", "process_prompt_template"),),
    "lfx.base.prompts.utils": (("helpers", "data_to_string dict_values_to_string"),),
    "lfx.base.models.unified_models": (
        ("server_side", "get_llm get_embeddings get_language_model_options get_embedding_model_options handle_model_input_update"),
    ),
    "lfx.base.models.watsonx_constants": (("server_side", "IBM_WATSONX_URLS"),),
    "lfx.base.models.chat_result": (("server_side", "get_chat_result"),),
    "lfx.components": (),
    "lfx.components.processing": (),
    "lfx.components.processing.converter": (("server_side", "convert_to_message convert_to_data convert_to_dataframe"),),
    "lfx.utils.file_path_security": (
        ("server_side", "StorageNamespaceError component_file_access_scopes enforce_local_file_access is_local_file_access_restricted"),
    ),
    "lfx.utils.ssrf_requests": (("server_side", "ssrf_safe_get"),),
    "lfx.utils.ssrf_transport": (("server_side", "create_ssrf_protected_client create_ssrf_protected_sync_client pin_host_for_url"),),
    "lfx.utils.mustache_security": (("server_side", "validate_mustache_template"),),
    "orjson": (
        (
            "json_more",
            "dumps loads JSONDecodeError JSONEncodeError OPT_INDENT_2 OPT_SORT_KEYS OPT_NON_STR_KEYS OPT_SERIALIZE_NUMPY OPT_NAIVE_UTC "
            "OPT_APPEND_NEWLINE OPT_UTC_Z OPT_SERIALIZE_DATACLASS",
        ),
    ),
    "json_repair": (("json_more", "repair_json loads=repair_loads"),),
    "requests": (("requests_api", "get post put patch delete head options request Session session Response Request PreparedRequest "
                  "RequestException HTTPError ConnectionError Timeout ConnectTimeout ReadTimeout TooManyRedirects JSONDecodeError "
                  "InvalidURL MissingSchema codes exceptions=EXCEPTIONS auth=AUTH adapters=ADAPTERS utils=UTILS status_codes=STATUS __version__"),),
    "requests.exceptions": (("requests_api", "RequestException HTTPError ConnectionError Timeout ConnectTimeout ReadTimeout "
                             "TooManyRedirects JSONDecodeError InvalidJSONError InvalidURL MissingSchema InvalidSchema ChunkedEncodingError "
                             "ContentDecodingError SSLError ProxyError InvalidHeader RetryError"),),
    "requests.auth": (("http_core", "HTTPBasicAuth=BasicAuth AuthBase HTTPBearer=BearerAuth HTTPDigestAuth"),),
    "requests.adapters": (("requests_api", "HTTPAdapter Retry"),),
    "requests.models": (("requests_api", "Response Request PreparedRequest"),),
    "requests.sessions": (("requests_api", "Session"),),
    "requests.structures": (("http_core", "CaseInsensitiveDict=Headers"),),
    "requests.utils": (("http_core", "quote unquote urlparse"),),
    "httpx": (("httpx_api", "get post put patch delete head options request stream Client AsyncClient Response Request Headers URL "
               "Timeout Limits BasicAuth Auth HTTPTransport AsyncHTTPTransport HTTPError HTTPStatusError RequestError TransportError "
               "TimeoutException ConnectTimeout ReadTimeout WriteTimeout PoolTimeout NetworkError ConnectError ReadError InvalidURL "
               "TooManyRedirects UnsupportedProtocol ProtocolError RemoteProtocolError StreamError DecodingError QueryParams codes "
               "USE_CLIENT_DEFAULT __version__"),),
    "loguru": (_LOG,),
    "structlog": (("log", "get_logger"),),
    "pydantic": (("model", "BaseModel Field ValidationError field_validator model_validator validator root_validator ConfigDict "
                  "SecretStr PrivateAttr computed_field create_model TypeAdapter HttpUrl=TextType EmailStr=TextType AnyUrl=TextType "
                  "PositiveInt=int_type NonNegativeInt=int_type StrictStr=str_type conint constr confloat"),),
    "pydantic.v1": (("model", "BaseModel Field ValidationError validator root_validator SecretStr create_model"),),
    "pydantic.fields": (("model", "Field FieldInfo"),),
    "langchain": (),
    "langchain.tools": (_TOOLS,),
    "langchain.schema": (_LC_TEXTS, _DOCS),
    "langchain.docstore": (),
    "langchain.docstore.document": (_DOCS,),
    "langchain_core": (),
    "langchain_core.tools": (_TOOLS,),
    "langchain_core.tools.base": (_TOOLS,),
    "langchain_core.tools.structured": (_TOOLS,),
    "langchain_core.messages": (_LC_TEXTS,),
    "langchain_core.documents": (_DOCS, ("typing_names", "BaseDocumentCompressor")),
    "langchain_core.documents.base": (_DOCS,),
    "langchain_core.prompts": (("langchain", "PromptTemplate ChatPromptTemplate"),),
    "langchain_core.language_models": (("typing_names", "BaseChatModel BaseLanguageModel BaseLLM"),),
    "langchain_core.embeddings": (("typing_names", "Embeddings"),),
    "langchain_core.vectorstores": (("typing_names", "VectorStore"),),
    "langchain_core.retrievers": (("typing_names", "BaseRetriever"),),
    "langchain_core.runnables": (("typing_names", "Runnable=RunnableType RunnableConfig=InputData"),),
    "langchain_core.output_parsers": (("typing_names", "BaseOutputParser"), ("langchain", "StrOutputParser JsonOutputParser")),
    "langchain_core.callbacks": (("typing_names", "BaseCallbackHandler=Callback CallbackManagerForToolRun=Callback AsyncCallbackManagerForToolRun=Callback"),),
    "pandas": (("pandas_api", "DataFrame Series concat merge isna isnull notna notnull to_numeric to_datetime NA NaT read_csv read_json "
                "json_normalize unique Timestamp __version__"),),
    "typing_extensions": (("typing_more", "TypedDict Annotated Literal Self override NotRequired Required Protocol runtime_checkable "
                           "Any Optional Union TypeAlias Never ParamSpec Final ClassVar"),),
}

STAND_INS = ("orjson", "json_repair", "loguru", "structlog", "pydantic", "langchain", "langchain_core", "pandas", "typing_extensions")
