//! Turning values into other values.

mod alter_metadata;
mod combine_text;
mod create_data;
mod create_list;
mod data_operations;
mod data_to_dataframe;
mod dataframe_operations;
mod dynamic_create_data;
mod extract_key;
mod filter_data;
mod filter_data_values;
mod json_cleaner;
mod key_fields;
mod merge_data;
mod message_to_data;
mod operations;
mod parse_data;
mod parse_dataframe;
mod parse_json_data;
mod parser;
mod regex_extractor;
mod select_data;
mod split_text;
mod table_work;
mod text_operations;
mod text_work;
mod type_converter;
mod update_data;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(alter_metadata::AlterMetadata),
        Arc::new(combine_text::CombineText),
        Arc::new(create_data::CreateData),
        Arc::new(create_list::CreateList),
        Arc::new(data_operations::DataOperations),
        Arc::new(data_to_dataframe::DataToDataFrame),
        Arc::new(dataframe_operations::DataFrameOperations),
        Arc::new(dynamic_create_data::DynamicCreateData),
        Arc::new(extract_key::ExtractKey),
        Arc::new(filter_data::FilterData),
        Arc::new(filter_data_values::FilterDataValues),
        Arc::new(json_cleaner::JsonCleaner),
        Arc::new(merge_data::MergeData),
        Arc::new(message_to_data::MessageToData),
        Arc::new(operations::Operations),
        Arc::new(parse_data::ParseData),
        Arc::new(parse_dataframe::ParseDataFrame),
        Arc::new(parse_json_data::ParseJsonData),
        Arc::new(parser::Parser),
        Arc::new(regex_extractor::RegexExtractor),
        Arc::new(select_data::SelectData),
        Arc::new(split_text::SplitText),
        Arc::new(text_operations::TextOperations),
        Arc::new(type_converter::TypeConverter),
        Arc::new(update_data::UpdateData),
    ]
}
